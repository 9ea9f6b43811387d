import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A door before the engine that passes everything on, and once breaks a stream in the middle. */
export interface BreakingFront extends AsyncDisposable {
  readonly url: string;
}

/** All fronts of one group break one stream together: the first, after so many frames. */
export async function startBreakingFronts(
  engineUrl: string,
  count: number,
  framesBefore: number,
): Promise<readonly BreakingFront[]> {
  let hasBroken = false;
  const passOn = (incoming: IncomingMessage, answer: ServerResponse) => {
    const breaks = !hasBroken && incoming.url?.endsWith('/chat/completions') === true;
    hasBroken ||= breaks;
    const { method, headers } = incoming;
    const outgoing = request(engineUrl + (incoming.url ?? ''), { method: method ?? 'GET', headers });
    let framesLeft = breaks ? framesBefore : Infinity;
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.on('data', (chunk: Buffer) => {
        // A busy engine sends many frames at once.
        for (const piece of chunk.toString('latin1').split(/(?<=\n\n)/)) {
          if (framesLeft === 0) return;
          if (piece.endsWith('\n\n')) framesLeft -= 1;
          const isLast = framesLeft === 0;
          // What was written before is on its way when the line is cut.
          answer.write(Buffer.from(piece, 'latin1'), () => {
            if (isLast) answer.destroy();
          });
        }
      });
      response.on('end', () => answer.end());
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer(passOn).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return {
        url: `http://127.0.0.1:${port}`,
        [Symbol.asyncDispose]: async () => {
          server.closeAllConnections();
          server.close();
          await once(server, 'close');
        },
      };
    }),
  );
}
