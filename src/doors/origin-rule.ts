import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from '#vocabulary/refusal';

export interface OwnNames {
  readonly publicUrl: string;
  /** Besides the public one. Lower case. */
  readonly hostNames: ReadonlySet<string>;
  /** With our own certificate a browser has compared the name itself. */
  readonly hasCertificate: boolean;
}

/**
 * What needs no token trusts an address, and a browser lends its address to every page it shows. So a request must
 * be sent to a name that is surely ours: a page of another host whose name was made to lead here would give that
 * name (DNS rebinding). And what a browser says of the page it comes from must be our own page. Ports do not matter:
 * people come through tunnels. Neither decides where a request goes.
 */
export function refuseForeignPage(headers: IncomingHttpHeaders, own: OwnNames): void {
  const publicHostname = hostnameOf(own.publicUrl) ?? '';
  const host = headers.host === undefined ? undefined : hostnameOf(`http://${headers.host}`);
  if (headers.host !== undefined && !own.hasCertificate && !isOurs(host, publicHostname, own)) {
    const shown = JSON.stringify(headers.host.slice(0, 100));
    throw new Refusal(
      'foreign_origin',
      `${shown} is not known as a name of this service. Use its public name or an address in digits; operators add names with hostNames or publicUrl. With an API key /api/ works under every name.`,
    );
  }
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const originHost = origin === undefined ? undefined : hostnameOf(origin);
  const isForeignOrigin = origin !== undefined && originHost !== publicHostname && originHost !== host;
  if (site !== 'cross-site' && site !== 'same-site' && !isForeignOrigin) return;
  throw new Refusal(
    'foreign_origin',
    'Web pages of other origins may not use the direct address, because it needs no token. Call the proxy address /api/ with an API key instead.',
  );
}

function isOurs(hostname: string | undefined, publicHostname: string, { hostNames }: OwnNames): boolean {
  if (hostname === undefined) return false;
  return (
    hostname === publicHostname ||
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostNames.has(hostname) ||
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  );
}

/** What was worked out lately: nearly every request is sent to the same name. Begun anew when it is full. */
const hostnames = new Map<string, string | undefined>();
const maxHostnames = 256;

function hostnameOf(url: string): string | undefined {
  if (hostnames.has(url)) return hostnames.get(url);
  const hostname = URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : undefined;
  if (hostnames.size >= maxHostnames) hostnames.clear();
  if (url.length <= 300) hostnames.set(url, hostname);
  return hostname;
}
