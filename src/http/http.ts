/**
 * How we speak HTTP: bound every request in size and time, give it one path and one id, hand it to the route that
 * owns it, and answer in the end. Everything thrown on the way becomes an answer here, once.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import { answerRefusal } from '#dialects/openai-error';
import { translationAt } from '#dialects/translations';
import { type Clock, systemClock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { Roster } from '#vocabulary/roster';
import type { CallerBudgets } from './caller-budgets.ts';
import { Connection } from './connection.ts';
import { createConnections } from './connections.ts';
import { type AddressOf, HttpExchange } from './http-exchange.ts';
import { createDate } from './date.ts';
import { Http2Connection } from './http2-session.ts';
import { writeFields } from './http-reply.ts';
import type { HttpRoute } from './http-route.ts';
import type { RequestHead } from './request-head.ts';
import { sortOutPlainCaller } from './plain-caller.ts';
import { readRequestPath } from './request-path.ts';
import { createSharedListener } from './shared-listener.ts';
import { type CallerSocket, createSockets } from './sockets.ts';
import { useCertificate } from './tls-certificate.ts';

export interface HttpOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly tls:
    | { readonly certificateFile: string; readonly keyFile: string; readonly http2: boolean }
    | undefined;
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
  listen(opened?: Server): Promise<{ readonly url: string; readonly host: string; readonly port: number }>;
  /** Listens there too, where other processes of this machine may do the same: the system spreads the callers. */
  listenTogether(place: HttpOptions['listen'], opened?: Server): Promise<void>;
  /** What another process can go on listening with. */
  listeners(): readonly [Server, ...Server[]];
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
  const connections = createConnections(systemClock);
  const sockets = createSockets({
    maxPerAddress: limits.maxConnectionsPerAddress,
    maxConnections: limits.maxConnections,
    isTrustedProxy: options.isTrustedProxy,
  });
  /** As many as there are requests being answered. */
  const underWay = new Roster<HttpExchange>();
  let whenSettled: (() => void)[] = [];
  let isDraining = false;
  const tls = options.tls;
  const connectionParts = {
    ...limits,
    // Connections live in the time of the system, as the other end does, whatever time the rooms are told.
    clock: systemClock,
    isDraining: () => isDraining,
    onRequest: accept,
    onClose: (connection: Connection | Http2Connection) => connections.remove(connection),
    onStream(socket: CallerSocket) {
      if (sockets.size >= limits.maxConnections) socket.destroy();
      else if (sockets.admit(socket)) connect(socket);
    },
  };
  const exchangeParts = {
    clock: options.clock,
    budgets: options.budgets,
    addressOf: options.addressOf,
    maxBodyBytes: limits.maxBodyBytes,
    date: createDate(options.clock),
    onOver,
  };
  const connect = (socket: CallerSocket) => connections.add(new Connection(socket, connectionParts));
  const connectSecure = (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') connections.add(new Http2Connection(socket, connectionParts));
    else connect(socket);
  };
  const server = createPlainServer(socketOptions);
  server.maxConnections = limits.maxConnections;
  /** Listens nowhere: it is handed those who begin a handshake. */
  const secureServer = tls === undefined ? undefined : createSecureServer();
  const beginHandshake = (socket: Socket) => void secureServer?.emit('connection', socket);
  server.on('connection', (socket: Socket) => {
    if (!sockets.admit(socket)) return;
    if (secureServer === undefined) connect(socket);
    else sortOutPlainCaller(socket, limits.headerTimeoutMs, beginHandshake);
  });
  const fieldsOfRoutes = new WeakMap<HttpRoute['headers'], string>();
  const everyHeader = tls === undefined ? alwaysSent : [...alwaysSent, ...sentWithTls];
  let unwatch: (() => void) | undefined;
  let together: Server | undefined;

  return {
    listeners: () => (together === undefined ? [server] : [server, together]),
    stopListening() {
      server.close();
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
      if (tls !== undefined && secureServer !== undefined)
        unwatch = useCertificate(tls, secureServer, logger);
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
      connections.leave();
    },
    settled: () =>
      new Promise((resolve) => {
        whenSettled.push(resolve);
        noteSettled();
      }),
    close: () =>
      new Promise((resolve) => {
        unwatch?.();
        connections.stop();
        together?.close();
        server.close(() => resolve());
        sockets.destroyAll();
      }),
  };

  function createSecureServer(): TlsServer {
    const { headerTimeoutMs: handshakeTimeout } = limits;
    const ALPNProtocols = tls?.http2 === true ? ['h2', 'http/1.1'] : ['http/1.1'];
    const secure = createTlsServer({ handshakeTimeout, ALPNProtocols }, connectSecure);
    // Without a handshake there is no way to say anything.
    return secure.on('tlsClientError', (_error, socket) => void socket.destroy());
  }

  function accept(connection: Connection, head: RequestHead): void {
    const requestId = randomUUIDv7();
    const target = readRequestPath(head.target);
    const route = options.routeOf(target?.path ?? '/');
    const commonFields = `x-request-id: ${requestId}\r\n${fieldsOf(route)}`;
    const exchange = new HttpExchange(
      connection,
      head,
      target ?? nowhere,
      requestId,
      commonFields,
      exchangeParts,
    );
    exchange.place = underWay.add(exchange);
    connection.serve(exchange);
    if (target === undefined) finish(exchange, route, unreadablePath());
    else if (!head.namesOneHost) finish(exchange, route, unclearHost());
    else void run(exchange, route);
  }

  function onOver({ place }: HttpExchange): void {
    if (place !== undefined) underWay.remove(place);
    noteSettled();
  }

  function fieldsOf({ headers }: HttpRoute): string {
    const known = fieldsOfRoutes.get(headers);
    if (known !== undefined) return known;
    const fields = writeFields([...everyHeader, ...headers]);
    fieldsOfRoutes.set(headers, fields);
    return fields;
  }

  function noteSettled(): void {
    if (whenSettled.length === 0 || underWay.members().some(isAwaited)) return;
    const listeners = whenSettled;
    whenSettled = [];
    for (const resolve of listeners) resolve();
  }

  async function run(exchange: HttpExchange, route: HttpRoute): Promise<void> {
    try {
      if (route.door !== 'none') exchange.memory.requireRoom();
      await route.handle(exchange);
    } catch (thrown) {
      finish(exchange, route, thrown);
    }
  }

  function finish(exchange: HttpExchange, route: HttpRoute, thrown: unknown): void {
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
    exchange.body.discard();
  }
}

/** Ends come to be known as ends: whoever answers decides when a connection closes. */
const socketOptions = { noDelay: true, allowHalfOpen: true };
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

function unclearHost(): Refusal {
  return new Refusal('invalid_request', 'Send the header Host, and send it once.');
}

function opening(
  server: Server,
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
    case 'EADDRNOTAVAIL':
      return new OperatorProblem(
        `This machine does not have the address ${listen.host}. Change listen (GATEHOUSE_LISTEN); 0.0.0.0 or [::] is every address.`,
        cause,
      );
    default:
      return new OperatorProblem(`Cannot listen on ${where}: ${cause.message}.`, cause);
  }
}

export { type CallerBudgets, createCallerBudgets } from './caller-budgets.ts';
export { createOperationsRoutes } from './operations-routes.ts';
export { createRouteTable } from './route-table.ts';
