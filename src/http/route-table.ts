import type { Exchange } from '#vocabulary/exchange';
import { getOnly } from './get-only.ts';
import type { Handler } from './get-only.ts';
import type { HttpRoute } from './http-route.ts';
import { createPages, pageHeaders } from './pages.ts';
import { createPreviewFrame, previewHeaders } from './preview-frame.ts';

/** Who owns which address. Decided by the path alone, never by a Host header. */
export interface Routes {
  readonly proxy: Handler;
  readonly direct: Handler;
  readonly console: Handler;
  readonly health: Handler;
  readonly readiness: Handler;
  readonly metrics: Handler;
  /** The report and its badges; the page itself is one of the pages. */
  readonly status: Handler;
  readonly receiptKeys: Handler;
  readonly logo: Handler;
  readonly manifest: Handler;
  /** Other gateways of the service. */
  readonly peer: Handler;
  /** Where the built web application lies; it also answers for everything unknown. */
  readonly pagesDirectory: string;
  readonly isDirectPath: (segment: string) => boolean;
  /** Where a model is served that has another path than its name. */
  readonly directAddress: (modelName: string) => string | undefined;
}

export function createRouteTable(routes: Routes): (path: string) => HttpRoute {
  const named = new Map<string, HttpRoute>([
    [
      'api',
      {
        door: 'proxy',
        headers: crossOrigin,
        handle: (exchange) =>
          exchange.method === 'OPTIONS' ? answerPreflight(exchange) : routes.proxy(exchange),
      },
    ],
    ['console', { door: 'chat', headers: privateHeaders, handle: routes.console }],
    ['peer', { door: 'none', headers: privateHeaders, handle: routes.peer }],
    ['healthz', { door: 'none', headers: privateHeaders, handle: getOnly(routes.health) }],
    ['status.json', { door: 'none', headers: [], handle: getOnly(routes.status) }],
    ['logo', { door: 'none', headers: [], handle: getOnly(routes.logo) }],
    ['manifest.webmanifest', { door: 'none', headers: [], handle: getOnly(routes.manifest) }],
    ['preview', { door: 'none', headers: previewHeaders, handle: createPreviewFrame() }],
    ['readyz', { door: 'none', headers: privateHeaders, handle: getOnly(routes.readiness) }],
    ['metrics', { door: 'none', headers: privateHeaders, handle: getOnly(routes.metrics) }],
  ]);
  const direct: HttpRoute = { door: 'direct', headers: [], handle: routes.direct };
  const page: HttpRoute = {
    door: 'none',
    headers: pageHeaders,
    handle: createPages(routes.pagesDirectory, routes.directAddress),
  };
  const badge: HttpRoute = { door: 'none', headers: [], handle: getOnly(routes.status) };
  const receiptKeys: HttpRoute = { door: 'none', headers: [], handle: getOnly(routes.receiptKeys) };
  return (path) => {
    if (path === '/status/badge.svg') return badge;
    if (path === '/.well-known/gatehouse-receipts.json') return receiptKeys;
    const end = path.indexOf('/', 1);
    const segment = end < 0 ? path.slice(1) : path.slice(1, end);
    const route = named.get(segment);
    if (route !== undefined) return route;
    return routes.isDirectPath(segment) ? direct : page;
  };
}

/** Browser applications of any origin may use the proxy door: it needs a key, and a key is never sent by itself. */
const crossOrigin = [
  'access-control-allow-origin',
  '*',
  // No secret is in any: also what rooms announce, such as what is left of a limit.
  'access-control-expose-headers',
  '*',
];
const privateHeaders = ['cache-control', 'no-store'];

function answerPreflight(exchange: Exchange): void {
  const wanted = exchange.headers['access-control-request-headers'];
  exchange.reply.begin(204, [
    'access-control-allow-methods',
    'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers',
    wanted !== undefined && /^[\w, -]{1,1024}$/.test(wanted) ? wanted : 'authorization, content-type',
    'access-control-max-age',
    '86400',
  ]);
  exchange.reply.end();
}
