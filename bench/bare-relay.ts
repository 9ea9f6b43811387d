/**
 * The least a Node gateway can do: read the body, send it on, send the answer back. No keys, limits or books. Takes the
 * port of its upstream, and one of its own if it is to share that with others.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';

const [, , upstreamPort, sharedPort] = process.argv;
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 2048, pipelining: 1 });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    JSON.parse(body.toString('utf8'));
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: (_controller, status, headers) =>
        void response.writeHead(status, ['content-type', String(headers['content-type'])]),
      onResponseData: (_controller, chunk) => void response.write(chunk),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    };
    const headers = ['content-type', 'application/json'];
    pool.dispatch({ path: '/v1/chat/completions', method: 'POST', headers, body }, handler);
  });
});
server.listen({ host: '127.0.0.1', port: Number(sharedPort ?? 0), reusePort: sharedPort !== undefined }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('disconnect', () => process.exit(0));
