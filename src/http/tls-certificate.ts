import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import type { Logger } from '#vocabulary/logger';

interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

export function loadCertificate(files: CertificateFiles): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile) };
}

/** Takes a renewed certificate into use without dropping a connection. A broken pair keeps the old one. */
export function watchCertificate(files: CertificateFiles, server: Server, logger: Logger): () => void {
  const reload = () => {
    try {
      server.setSecureContext(loadCertificate(files));
      logger.info({ certificateFile: files.certificateFile }, 'certificate reloaded');
    } catch (err) {
      logger.error(
        { error: err, certificateFile: files.certificateFile },
        'certificate not reloaded; the old one stays',
      );
    }
  };
  for (const file of [files.certificateFile, files.keyFile]) {
    watchFile(file, { interval: 1000, persistent: false }, reload);
  }
  return () => {
    for (const file of [files.certificateFile, files.keyFile]) unwatchFile(file, reload);
  };
}
