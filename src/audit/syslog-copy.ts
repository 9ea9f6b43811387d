import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import type { AuditEntry } from '#vocabulary/audit';
import type { Logger } from '#vocabulary/logger';

/** Facility authpriv, severity informational. */
const priority = 10 * 8 + 6;

export interface SyslogCopy {
  /** Never waits and never throws; UDP promises nothing, the trail itself stays here. */
  send(entry: AuditEntry): void;
  close(): void;
}

/** Every entry once more, as a line of syslog (RFC 5424 over UDP), for a machine that keeps what happens on this one. */
export function openSyslogCopy(
  server: { readonly host: string; readonly port: number },
  logger: Logger,
): SyslogCopy {
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4').unref();
  const noteFailure = (error: Error | null) => {
    if (error !== null) logger.warn({ error }, 'an audit entry could not be copied to the syslog server');
  };
  socket.on('error', noteFailure);
  return {
    send(entry) {
      const { at, kind, ...rest } = entry;
      const head = `<${priority}>1 ${new Date(at).toISOString()} ${hostname()} gatehouse ${process.pid} ${kind} -`;
      socket.send(`${head} ${JSON.stringify({ kind, ...rest })}`, server.port, server.host, noteFailure);
    },
    close: () => socket.close(),
  };
}
