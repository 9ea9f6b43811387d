import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model hub on loopback: it redirects to a second host that serves ranges, as the real one does. */
export interface ModelHub extends AsyncDisposable {
  readonly base: string;
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly host: string;
  }[];
  /** Body bytes handed to sockets so far. */
  servedBytes(): number;
  plan: HubPlan;
}

export interface HubPlan {
  file: Buffer;
  etag: string;
  /** What the hub announces; undefined: the true digest. */
  announcedDigest?: string | undefined;
  /** Breaks the connection after this many bytes of every answer. */
  cutAfterBytes?: number | undefined;
  /** Answers so instead of with the file, this many times. */
  failures?: { status: number; times: number } | undefined;
  isWithoutLength?: boolean;
  redirect?: string | undefined;
  /** Held until this settles. */
  gate?: Promise<void> | undefined;
}

export async function openModelHub(file: Buffer): Promise<ModelHub> {
  const requests: ModelHub['requests'] = [];
  let servedBytes = 0;
  const hub = { plan: { file, etag: '"one"' } as HubPlan };

  const store = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, host: 'store' });
    const { plan } = hub;
    if (plan.failures !== undefined && plan.failures.times > 0) {
      plan.failures.times--;
      response.writeHead(plan.failures.status, { 'retry-after': '0' }).end();
      return;
    }
    const wanted = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    const mayResume = wanted !== undefined && request.headers['if-range'] === plan.etag;
    const offset = mayResume ? Number(wanted) : 0;
    const body = plan.file.subarray(offset);
    const isCut = plan.cutAfterBytes !== undefined && plan.cutAfterBytes < body.length;
    response.writeHead(mayResume ? 206 : 200, {
      etag: plan.etag,
      ...(plan.isWithoutLength === true ? {} : { 'content-length': body.length }),
      ...(mayResume
        ? { 'content-range': `bytes ${offset}-${plan.file.length - 1}/${plan.file.length}` }
        : {}),
    });
    const sent = isCut ? body.subarray(0, plan.cutAfterBytes) : body;
    servedBytes += sent.length;
    if (isCut) response.write(sent, () => setImmediate(() => request.socket.destroy()));
    else response.end(sent);
  });
  const front = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, host: 'hub' });
    const { plan } = hub;
    const digest = plan.announcedDigest ?? createHash('sha256').update(plan.file).digest('hex');
    const location = plan.redirect ?? `http://127.0.0.1:${portOf(store)}/blob?signature=secret`;
    void (plan.gate ?? Promise.resolve()).then(() =>
      response.writeHead(302, { location, 'x-linked-etag': `"${digest}"` }).end('moved'),
    );
  });
  await Promise.all([store, front].map((server) => listen(server)));
  return Object.assign(hub, {
    base: `http://127.0.0.1:${portOf(front)}`,
    requests,
    servedBytes: () => servedBytes,
    async [Symbol.asyncDispose]() {
      for (const server of [store, front]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  });
}

type Server = ReturnType<typeof createServer>;

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
