import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from '#vocabulary/refusal';

/**
 * The token-less door trusts an address, and a browser inside a permitted network lends its address to every page
 * it shows. So a request that a browser made must come from this service's own pages: its origin must be the host it
 * was sent to, and that host a name that is surely ours (the public one, localhost, a plain address). Other callers
 * send no such headers and are judged by their address alone. Ports do not matter: people come through tunnels.
 */
export function refuseForeignOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (origin === undefined && site === undefined) return;
  const publicHostname = new URL(publicUrl).hostname;
  const isForeignSite = site === 'cross-site' || site === 'same-site';
  const originHost = origin === undefined ? undefined : hostnameOf(origin);
  const host = hostnameOf(`http://${headers.host ?? ''}`);
  const isForeignOrigin = origin !== undefined && originHost !== publicHostname && originHost !== host;
  const isForeignHost = host === undefined || !isOurs(host, publicHostname);
  if (!isForeignSite && !isForeignOrigin && !isForeignHost) return;
  throw new Refusal(
    'foreign_origin',
    'Web pages of other origins may not use the direct address, because it needs no token. Call the proxy address /api/ with an API key instead.',
  );
}

function isOurs(hostname: string, publicHostname: string): boolean {
  return (
    hostname === publicHostname || hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  );
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}
