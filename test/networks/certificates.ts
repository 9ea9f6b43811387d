import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemProgram } from '#harness/system-programs';

/** A private authority, as a university or a company has one. */
export interface Authority {
  readonly certificateFile: string;
  /** Writes a fresh certificate and key for the name; files that exist are replaced in one step each. */
  certify(hostname: string, fileName: string): CertificateFiles;
}

export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

export function createAuthority(folder: string): Authority {
  const openssl = (words: string) =>
    execFileSync(systemProgram('openssl'), words.split(' '), { cwd: folder, stdio: 'pipe' });
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  const isAuthority = '-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign';
  openssl(
    `req -x509 ${newKey} -keyout authority.key -out authority.pem -days 2 -subj /CN=Authority ${isAuthority}`,
  );
  return {
    certificateFile: join(folder, 'authority.pem'),
    certify(hostname, fileName) {
      const extensions = [
        `subjectAltName=DNS:${hostname}`,
        'basicConstraints=critical,CA:FALSE',
        'extendedKeyUsage=serverAuth',
      ];
      writeFileSync(join(folder, `${fileName}.extensions`), `${extensions.join('\n')}\n`);
      openssl(`req -new ${newKey} -keyout new.key -out new.csr -subj /CN=${hostname}`);
      openssl(
        `x509 -req -in new.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 1 -extfile ${fileName}.extensions -out new.pem`,
      );
      const certificateFile = join(folder, `${fileName}.pem`);
      const keyFile = join(folder, `${fileName}.key`);
      renameSync(join(folder, 'new.key'), keyFile);
      renameSync(join(folder, 'new.pem'), certificateFile);
      return { certificateFile, keyFile };
    },
  };
}
