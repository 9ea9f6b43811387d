import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of nobody: made for tests alone, for `localhost`, so that no machine needs a program that makes one. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUSq+10RovIOTihlcyUTN/j/fDTWkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTE4MTkyOFoYDzIxMjYxMDIy
MTgxOTI4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATOzNF9XA2fraZKm6MFBq/u02hXsBa2GBckoJl4Iq0ROKJ8a43tifLT
5ovAP1IqJ83G7Yiti52ErAieCvjEmfG3o2kwZzAdBgNVHQ4EFgQULiBQT2zed2RZ
+CWUZ62e63+duVgwHwYDVR0jBBgwFoAULiBQT2zed2RZ+CWUZ62e63+duVgwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAPCnY4rSsYNgqtTX1d8WRpXEorHBdGIr7a+lVdwt5OlmAiEAtmMBu4Wa
wLQgsGr7sYEOtyVLS8ROFkcBi49ksvoGLHU=
-----END CERTIFICATE-----
`;
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBrooPtpMJr2JxgC8
ALAFrazTp+OJo3Up2i7skEDCysyhRANCAATOzNF9XA2fraZKm6MFBq/u02hXsBa2
GBckoJl4Iq0ROKJ8a43tifLT5ovAP1IqJ83G7Yiti52ErAieCvjEmfG3
-----END PRIVATE KEY-----
`;

/** Where a service finds them. */
export function writeCertificate(folder: string): { certificateFile: string; keyFile: string } {
  const [certificateFile, keyFile] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, privateKey, { mode: 0o600 });
  return { certificateFile, keyFile };
}
