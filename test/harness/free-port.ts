import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * For programs that must be told a port beforehand; port 0 is better wherever it is possible. Below those that systems
 * give to whoever asks for any, so that nobody else has it by chance before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw cause;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
