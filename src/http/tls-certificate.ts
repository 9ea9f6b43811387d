import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:tls';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';

interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Also takes a renewed certificate into use, without dropping a connection. A broken pair keeps the old one. */
export function useCertificate(files: CertificateFiles, server: Server, logger: Logger): () => void {
  const { certificateFile } = files;
  const load = () =>
    server.setSecureContext({ cert: readFileSync(certificateFile), key: readFileSync(files.keyFile) });
  try {
    load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorProblem(
      `${certificateFile} and ${files.keyFile} cannot be used as certificate and key: ${reason}. "gatehouse doctor" says which of them is wrong.`,
      cause,
    );
  }
  const reload = () => {
    try {
      load();
      logger.info({ certificateFile }, 'certificate reloaded');
    } catch (error) {
      logger.error({ error, certificateFile }, 'certificate not reloaded; the old one stays');
    }
  };
  for (const file of [files.certificateFile, files.keyFile]) {
    watchFile(file, { interval: 1000, persistent: false }, reload);
  }
  return () => {
    for (const file of [files.certificateFile, files.keyFile]) unwatchFile(file, reload);
  };
}
