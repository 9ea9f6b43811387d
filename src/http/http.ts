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
import { type AddressInfo, Server as NetServer } from 'node:net';
import { answerRefusal } from '#dialects/openai-error';
import { translationAt } from '#dialects/translations';
import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { Roster } from '#vocabulary/roster';
import type { CallerBudgets } from './caller-budgets.ts';
import { answerClientError } from './client-error.ts';
import { createConnections } from './connections.ts';
import { type AddressOf, HttpExchange } from './http-exchange.ts';
import type { HttpRoute } from './http-route.ts';
import { readRequestPath } from './request-path.ts';
import { createSharedListener } from './shared-listener.ts';
import { watchSockets } from './sockets.ts';
import { useCertificate } from './tls-certificate.ts';

export interface HttpOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  readonly limits: HttpLimits;
  readonly budgets: CallerBudgets;
  readonly addressOf: AddressOf;
  readonly isTrustedProxy: (address: string) => boolean;
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
  readonly maxConnectionsPerAddress: number;
  readonly headerTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  /** A reader who takes nothing of what waits for them within this time, or at most twice this time, is cut off. */
  readonly slowReaderMs: number;
}

export interface HttpServer {
  /** Resolves with the address people can open. With a socket that another process has opened, on that one. */
  listen(opened?: NetServer): Promise<{ readonly url: string; readonly host: string; readonly port: number }>;
  /** Listens there too, where other processes of this machine may do the same: the system spreads the callers. */
  listenTogether(place: HttpOptions['listen'], opened?: NetServer): Promise<void>;
  /** What another process can go on listening with. */
  listeners(): readonly [NetServer, ...NetServer[]];
  /** Another process listens from now on; connections that are open stay. */
  stopListening(): void;
  /** Ends the event streams of pages, which come back by themselves. */
  endWatchers(): void;
  openConnections(): number;
  /** Closed because their address had as many as it may. */
  refusedConnections(): number;
  /** From now on every answer asks the caller to close the connection; idle ones are closed. */
  beginDrain(): void;
  /** Resolves when the last byte of every answer has left; event streams that are still open have no last byte. */
  settled(): Promise<void>;
  /** Ends what is left. */
  close(): Promise<void>;
}

/** How many callers who come in one moment the system keeps for us, if its `somaxconn` lets it; Node's own is 511. */
const backlog = 4096;

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
  const connections = createConnections();
  /** As many as there are requests being answered. */
  const underWay = new Roster<HttpExchange>();
  let whenSettled: (() => void)[] = [];
  let isDraining = false;
  const tls = options.tls;
  const server: Server | TlsServer =
    tls === undefined
      ? createPlainServer(serverOptions, accept)
      : createTlsServer({ ...serverOptions, handshakeTimeout: limits.headerTimeoutMs }, accept);
  server.maxConnections = limits.maxConnections;
  server.on('clientError', (error, socket) => answerClientError(error, socket, connections.underWay(socket)));
  const sockets = watchSockets(server, {
    maxPerAddress: limits.maxConnectionsPerAddress,
    isTrustedProxy: options.isTrustedProxy,
  });
  const everyHeader = tls === undefined ? alwaysSent : [...alwaysSent, ...sentWithTls];
  let unwatch: (() => void) | undefined;
  let together: NetServer | undefined;

  return {
    listeners: () => (together === undefined ? [server] : [server, together]),
    stopListening() {
      // Node's own `close` of an HTTP server also closes connections whose first request is on its way.
      NetServer.prototype.close.call(server);
      together?.close();
    },
    async listenTogether(place, opened) {
      together = createSharedListener(server, () => sockets.size < limits.maxConnections);
      await opening(together, place, (onListening) =>
        opened === undefined
          ? together?.listen({ ...place, backlog, reusePort: true }, onListening)
          : together?.listen(opened, backlog, onListening),
      );
    },
    endWatchers() {
      for (const { path, reply } of underWay.members())
        if (path.startsWith('/console/') && reply.isEventStream && !reply.hasEnded) reply.end();
    },
    async listen(opened) {
      if (tls !== undefined) unwatch = useCertificate(tls, server as TlsServer, logger);
      const { host } = options.listen;
      await opening(server, options.listen, (onListening) =>
        opened === undefined
          ? server.listen({ port: options.listen.port, host, backlog }, onListening)
          : server.listen(opened, backlog, onListening),
      );
      const { port } = server.address() as AddressInfo;
      const shownHost =
        host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
      return { url: `${tls === undefined ? 'http' : 'https'}://${shownHost}:${port}`, host, port };
    },
    openConnections: () => sockets.size,
    refusedConnections: () => sockets.refused,
    beginDrain() {
      isDraining = true;
      connections.closeIdle();
    },
    settled: () =>
      new Promise((resolve) => {
        whenSettled.push(resolve);
        noteSettled();
      }),
    close: () =>
      new Promise((resolve) => {
        unwatch?.();
        together?.close();
        server.close(() => resolve());
        sockets.destroyAll();
      }),
  };

  function accept(request: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUIDv7();
    const target = readRequestPath(request.url ?? '/');
    const route = options.routeOf(target?.path ?? '/');
    const commonHeaders = ['x-request-id', requestId, ...everyHeader, ...route.headers];
    connections.serving(request, response);
    if (isDraining) response.shouldKeepAlive = false;
    const exchange = new HttpExchange(request, response, target ?? nowhere, requestId, commonHeaders, {
      clock: options.clock,
      budgets: options.budgets,
      addressOf: options.addressOf,
      maxBodyBytes: limits.maxBodyBytes,
      slowReaderMs: limits.slowReaderMs,
    });
    const entry = underWay.add(exchange);
    response.on('close', () => {
      connections.served(request, response);
      underWay.remove(entry);
      noteSettled();
    });
    if (target === undefined) {
      finish(exchange, request, route, unreadablePath());
      return;
    }
    void run(exchange, request, route);
  }

  function noteSettled(): void {
    if (whenSettled.length === 0 || underWay.members().some(isAwaited)) return;
    const listeners = whenSettled;
    whenSettled = [];
    for (const resolve of listeners) resolve();
  }

  async function run(exchange: HttpExchange, request: IncomingMessage, route: HttpRoute): Promise<void> {
    try {
      if (route.door !== 'none') exchange.memory.requireRoom();
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
    if (!exchange.cancellation.isCancelled)
      answerRefusal(exchange.reply, refusal, translationAt(exchange)?.errorBody);
    drainUnreadBody(request);
  }
}

const nowhere = { path: '/', query: '' };
/** Nobody is to guess what an answer is. */
const alwaysSent = ['x-content-type-options', 'nosniff'];
/** A browser that has been here once does not try without encryption for a year. */
const sentWithTls = ['strict-transport-security', 'max-age=31536000'];

function isAwaited({ reply }: HttpExchange): boolean {
  return reply.hasEnded || !reply.isEventStream;
}

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

function opening(
  server: NetServer,
  place: HttpOptions['listen'],
  open: (onListening: () => void) => unknown,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(unableToListen(cause, place)));
    open(resolve);
  });
}

function unableToListen(
  cause: Error & { code?: string },
  listen: { host: string; port: number },
): OperatorProblem {
  const where = `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return new OperatorProblem(
        `${where} is in use by another program. Stop it, or choose another port with PORT=8081.`,
        cause,
      );
    case 'EACCES':
      return new OperatorProblem(
        `This user may not listen on ${where}. Choose a port above 1023 with PORT=8080.`,
        cause,
      );
    default:
      return new OperatorProblem(`Cannot listen on ${where}: ${cause.message}.`, cause);
  }
}

export { type CallerBudgets, createCallerBudgets } from './caller-budgets.ts';
export { createOperationsRoutes } from './operations-routes.ts';
export { createRouteTable } from './route-table.ts';
