/**
 * How we speak HTTP: bound every request in size and time, give it one path and one id, hand it to the route that
 * owns it, and answer in the end. Everything thrown on the way becomes an answer here, once.
 */
import { randomUUIDv7 } from 'node:crypto';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { answerRefusal } from '#dialects/openai-error';
import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import { answerClientError } from './client-error.ts';
import { HttpExchange } from './http-exchange.ts';
import { createIdleConnections } from './idle-connections.ts';
import type { HttpRoute } from './http-route.ts';
import { readRequestPath } from './request-path.ts';
import { loadCertificate, watchCertificate } from './tls-certificate.ts';

export interface HttpOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  readonly limits: HttpLimits;
  readonly routeOf: (path: string) => HttpRoute;
  /** For requests turned away before they became anybody's. */
  readonly onRefusal: (door: HttpRoute['door'], refusal: Refusal) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface HttpLimits {
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  readonly headerTimeoutMs: number;
  readonly bodyTimeoutMs: number;
}

export interface HttpServer {
  /** Resolves with the address people can open. */
  listen(): Promise<{ readonly url: string; readonly host: string; readonly port: number }>;
  openConnections(): number;
  /** From now on every answer asks the caller to close the connection; idle ones are closed. */
  beginDrain(): void;
  /** Ends what is left. */
  close(): Promise<void>;
}

export function createHttp(options: HttpOptions): HttpServer {
  const { limits, logger } = options;
  const serverOptions = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headerTimeoutMs,
    requestTimeout: limits.headerTimeoutMs + limits.bodyTimeoutMs,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 75_000,
    noDelay: true,
  };
  const idle = createIdleConnections();
  let isDraining = false;
  const tls = options.tls;
  const server: Server | TlsServer =
    tls === undefined
      ? createPlainServer(serverOptions, accept)
      : createTlsServer(
          { ...serverOptions, handshakeTimeout: limits.headerTimeoutMs, ...loadCertificate(tls) },
          accept,
        );
  server.maxConnections = limits.maxConnections;
  server.on('clientError', answerClientError);
  // At most `maxConnections`. Also those that are still silent or in the middle of a TLS handshake, which the HTTP
  // server does not know yet.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const unwatch = tls === undefined ? undefined : watchCertificate(tls, server as TlsServer, logger);

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', (cause) => reject(unableToListen(cause, options.listen)));
        server.listen(options.listen.port, options.listen.host, () => {
          const { port } = server.address() as AddressInfo;
          const host = options.listen.host;
          const shownHost =
            host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
          resolve({ url: `${tls === undefined ? 'http' : 'https'}://${shownHost}:${port}`, host, port });
        });
      }),
    openConnections: () => sockets.size,
    beginDrain() {
      isDraining = true;
      idle.close();
    },
    close: () =>
      new Promise((resolve) => {
        unwatch?.();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };

  function accept(request: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUIDv7();
    const target = readRequestPath(request.url ?? '/');
    const route = options.routeOf(target?.path ?? '/');
    const commonHeaders = ['x-request-id', requestId, ...route.headers];
    idle.serving(request.socket, response);
    if (isDraining) response.shouldKeepAlive = false;
    const exchange = new HttpExchange(request, response, target ?? NOWHERE, requestId, commonHeaders, {
      clock: options.clock,
      maxBodyBytes: limits.maxBodyBytes,
      idle,
    });
    if (target === undefined) {
      finish(exchange, request, route, unreadablePath());
      return;
    }
    void run(exchange, request, route);
  }

  async function run(exchange: Exchange, request: IncomingMessage, route: HttpRoute): Promise<void> {
    try {
      await route.handle(exchange);
    } catch (thrown) {
      finish(exchange, request, route, thrown);
    }
  }

  function finish(exchange: Exchange, request: IncomingMessage, route: HttpRoute, thrown: unknown): void {
    let refusal: Refusal;
    if (thrown instanceof Refusal) refusal = thrown;
    else {
      logger.error({ requestId: exchange.requestId, error: thrown }, 'a request ended in a bug');
      refusal = new Refusal(
        'internal_error',
        'Something went wrong inside the service. The operators can find this request by its id.',
      );
    }
    options.onRefusal(route.door, refusal);
    if (!exchange.cancellation.isCancelled) answerRefusal(exchange.reply, refusal);
    drainUnreadBody(request);
  }
}

const NOWHERE = { path: '/', query: '' };

function unreadablePath(): Refusal {
  return new Refusal(
    'invalid_request',
    'The path of the request cannot be read in one way only. Remove dot segments, backslashes and double encoding.',
  );
}

/** A refused upload is read away for a while, so that the caller sees the answer and not a reset connection. */
function drainUnreadBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const cut = setTimeout(() => request.destroy(), 5000);
  cut.unref();
  request.on('close', () => clearTimeout(cut));
  request.resume();
}

function unableToListen(cause: Error & { code?: string }, listen: { host: string; port: number }): Error {
  const where = `${listen.host}:${listen.port}`;
  if (cause.code === 'EADDRINUSE') {
    return new Error(
      `Port ${where} is in use by another program. Stop it, or choose another port with PORT=8081.`,
      { cause },
    );
  }
  if (cause.code === 'EACCES') {
    return new Error(`This user may not listen on ${where}. Choose a port above 1023 with PORT=8080.`, {
      cause,
    });
  }
  return new Error(`Cannot listen on ${where}: ${cause.message}`, { cause });
}

export { createOperationsRoutes } from './operations-routes.ts';
export { createRouteTable } from './route-table.ts';
