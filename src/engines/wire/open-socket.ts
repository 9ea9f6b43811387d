import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface EngineAddress {
  readonly url: URL;
  /** Where the engine listens instead of on a port. */
  readonly socketPath: string | undefined;
}

/** Long answers pass firewalls that forget silent connections. */
const signOfLifeMs = 60_000;

/**
 * Where every socket puts what it reads, instead of into memory of its own for each read. Whoever is told of a read is
 * told before the next one, of whichever socket.
 */
const arrived = Buffer.allocUnsafeSlow(64 * 1024);

/** What is read is lent for the time of the call, and may be written over. */
export function openSocket(address: EngineAddress, onRead: (bytes: Buffer) => void): Socket {
  const common = { ...placeOf(address), noDelay: true, keepAlive: true, keepAliveInitialDelay: signOfLifeMs };
  if (!isEncrypted(address))
    return connectPlain({
      ...common,
      onread: {
        buffer: arrived,
        callback(bytesRead) {
          onRead(arrived.subarray(0, bytesRead));
          return true;
        },
      },
    });
  const host = hostOf(address.url);
  const socket = connectTls({
    ...common,
    // A name is asked for by name; an address has none.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
  });
  socket.on('data', onRead);
  return socket;
}

/** The event from which on a socket carries what is written. */
export function connectingEvent(address: EngineAddress): 'connect' | 'secureConnect' {
  return isEncrypted(address) ? 'secureConnect' : 'connect';
}

function placeOf({ url, socketPath }: EngineAddress): { path: string } | { host: string; port: number } {
  if (socketPath !== undefined) return { path: socketPath };
  return { host: hostOf(url), port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

/** An IPv6 address stands in brackets in an address of the web, and nowhere else. */
function hostOf(url: URL): string {
  return url.hostname.replaceAll(/^\[|\]$/g, '');
}

function isEncrypted({ url }: EngineAddress): boolean {
  return url.protocol === 'https:';
}
