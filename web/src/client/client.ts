import type { RequestOf, ResponseOf, RouteName } from '#contract/routes';
import { CallFailed, failureOf } from './call-failed.ts';

/** Calls to `/console/`, typed by the server's own contract. One per page. */
export interface Client {
  call<Name extends RouteName>(name: Name, request: RequestOf<Name>): Promise<ResponseOf<Name>>;
  /** Where a file, an event stream or a redirect lives. */
  address<Name extends RouteName>(name: Name, request: RequestOf<Name>): string;
  /** Every answer that carries a session hands over its token. */
  useToken(csrfToken: string): void;
}

interface ClientOptions {
  /** The session has ended: expired, signed out elsewhere, disabled. */
  readonly onSignedOut: () => void;
}

export function createClient({ onSignedOut }: ClientOptions): Client {
  let csrfToken = 'signed-out';
  return {
    address: (name, request) => addressOf(name, request),
    useToken: (token) => {
      csrfToken = token;
    },
    async call(name, request) {
      const response = await send(name, request, csrfToken);
      if (response.ok)
        return (await response.json().catch((cause: unknown) => unreachable(name, cause))) as never;
      const failure = await failureOf(name, response);
      if (failure.code === 'sign_in_required') onSignedOut();
      throw failure;
    },
  };
}

async function send(name: RouteName, request: object, csrfToken: string): Promise<Response> {
  const method = methodOf(name);
  const bytes = 'bytes' in request ? (request.bytes as Uint8Array<ArrayBuffer>) : undefined;
  const body = 'body' in request ? JSON.stringify(request.body) : bytes;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (method !== 'GET') headers['x-csrf-token'] = csrfToken;
  if (body !== undefined)
    headers['content-type'] = bytes === undefined ? 'application/json' : 'application/octet-stream';
  try {
    return await fetch(addressOf(name, request), {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      // A change made just before the window closes still arrives; browsers allow this for small bodies.
      keepalive: method !== 'GET' && (body?.length ?? 0) < 20_000,
      ...(body === undefined ? {} : { body }),
    });
  } catch (cause) {
    return unreachable(name, cause);
  }
}

/** No answer, or one that broke off. */
function unreachable(route: RouteName, cause: unknown): never {
  throw new CallFailed({ route, status: 0, code: 'unreachable', cause });
}

function methodOf(name: RouteName): string {
  return name.slice(0, name.indexOf(' '));
}

function addressOf(name: RouteName, request: object): string {
  const template = name.slice(name.indexOf(' ') + 1);
  const values = request as Record<string, unknown>;
  const path = template.replaceAll(/:(\w+)/g, (_, parameter: string) =>
    encodeURIComponent(String(values[parameter])),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries((values['query'] as object | undefined) ?? {})) {
    if (value !== undefined) query.set(key, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
