import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** For programs that must be told a port beforehand. Free a moment ago; port 0 is better wherever it is possible. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
