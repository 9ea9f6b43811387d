import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from '#vocabulary/address';

/**
 * The address a request truly came from. Forwarding headers count only when the peer is a trusted proxy, and are
 * read from the right: each trusted proxy vouches for the hop it saw. A hop that is no address ends the walk.
 */
export function trueAddress(
  peerAddress: string,
  headers: IncomingHttpHeaders,
  isTrustedProxy: (address: string) => boolean,
): string {
  if (!isTrustedProxy(peerAddress)) return peerAddress;
  const hops = forwardedHops(headers);
  let address = peerAddress;
  for (let index = hops.length - 1; index >= 0; index--) {
    const hop = canonicalAddress(hops[index] ?? '');
    if (hop === undefined) return 'unknown';
    address = hop;
    if (!isTrustedProxy(hop)) return hop;
  }
  return address;
}

/** `X-Forwarded-For` if there is one, else the `for=` parts of `Forwarded`. Ports and brackets are taken off. */
function forwardedHops(headers: IncomingHttpHeaders): string[] {
  const listed = headers['x-forwarded-for'];
  if (listed !== undefined) return String(listed).split(',').map(withoutPort);
  const forwarded = headers.forwarded;
  if (forwarded === undefined) return [];
  return forwarded.split(',').map((element) => {
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
