import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from '#vocabulary/address';

/** In which header trusted proxies name the caller. Any other is what callers may have written themselves. */
export type ForwardedHeader = 'X-Forwarded-For' | 'Forwarded';

/**
 * The address a request truly came from. The forwarding header counts only when the peer is a trusted proxy, and is
 * read from the right: each trusted proxy vouches for the hop it saw. A hop that is no address ends the walk.
 */
export function trueAddress(
  peerAddress: string,
  headers: IncomingHttpHeaders,
  forwardedHeader: ForwardedHeader,
  isTrustedProxy: (address: string) => boolean,
): string {
  if (!isTrustedProxy(peerAddress)) return peerAddress;
  const hops = forwardedHops(headers, forwardedHeader);
  // A proxy that passes a request on without the header that was agreed upon leaves its caller in the dark.
  if (hops === undefined) return passedOnHeader(headers) === undefined ? peerAddress : 'unknown';
  let address = peerAddress;
  for (let index = hops.length - 1; index >= 0; index--) {
    const hop = canonicalAddress(hops[index] ?? '');
    if (hop === undefined) return 'unknown';
    address = hop;
    if (!isTrustedProxy(hop)) return hop;
  }
  return address;
}

/** A header that only somebody adds who passes on the request of another; undefined when there is none. */
export function passedOnHeader(headers: IncomingHttpHeaders): string | undefined {
  return passedOnHeaders.find((name) => headers[name] !== undefined);
}

/** Not `X-Forwarded-Proto`: it names nobody, and helpers on the caller's own machine add it to what leaves there. */
const passedOnHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'via',
  'x-forwarded-host',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
];

/** Ports and brackets are taken off. */
function forwardedHops(headers: IncomingHttpHeaders, forwardedHeader: ForwardedHeader): string[] | undefined {
  if (forwardedHeader === 'X-Forwarded-For') {
    const listed = headers['x-forwarded-for'];
    return listed === undefined ? undefined : String(listed).split(',').map(withoutPort);
  }
  return headers.forwarded?.split(',').map((element) => {
    const match = /(?:^|;)\s*for=("[^"]*"|[^;\s]+)/i.exec(element);
    return match?.[1] === undefined ? '' : withoutPort(match[1].replaceAll('"', ''));
  });
}

function withoutPort(text: string): string {
  const hop = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop);
  if (bracketed?.[1] !== undefined) return bracketed[1];
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.slice(0, hop.lastIndexOf(':')) : hop;
}
