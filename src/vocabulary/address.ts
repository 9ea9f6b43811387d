import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * One spelling per address: IPv4 for IPv4-mapped IPv6, lower-case shortest IPv6, no zone. Undefined for anything
 * that is not a strict address, such as octal or decimal IPv4.
 */
export function canonicalAddress(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0) return undefined;
  const zone = text.indexOf('%');
  const parsed = ipaddr.IPv6.parse(withoutDots(zone < 0 ? text : text.slice(0, zone)));
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toString();
}

/** ipaddr.js takes `::10.1.2.3` for the IPv4 address 10.1.2.3, which it is not: only `::ffff:10.1.2.3` is. */
function withoutDots(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a: string, b: string, c: string, d: string) => {
    const high = Number(a) * 256 + Number(b);
    const low = Number(c) * 256 + Number(d);
    return `${high.toString(16)}:${low.toString(16)}`;
  });
}

/** Of a canonical address: itself, or the /64 of an IPv6 one, all of which one household or machine can hold. */
export function neighbourhoodOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':');
  if (address.includes('::')) {
    const missing = 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
    for (let index = 0; index < missing; index++) groups.push('0');
  }
  return groups.slice(0, 4).join(':');
}

/**
 * One spelling per network; undefined when the text is no CIDR, or has a zone, which other machines do not know. A
 * bare address is a network of one.
 */
export function canonicalNetwork(text: string): string | undefined {
  if (text.includes('%')) return undefined;
  const slash = text.lastIndexOf('/');
  const addressText = slash < 0 ? text : text.slice(0, slash);
  const address = canonicalAddress(addressText);
  if (address === undefined) return undefined;
  const isV4 = isIP(address) === 4;
  const wasMapped = isV4 && addressText.includes(':');
  const fullBits = isV4 ? 32 : 128;
  if (slash < 0) return `${address}/${fullBits}`;
  const bitsText = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(bitsText)) return undefined;
  const bits = Number(bitsText) - (wasMapped ? 96 : 0);
  if (bits < 0 || bits > fullBits) return undefined;
  const network = isV4
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  return `${network.toString()}/${bits}`;
}

/** Finds the narrowest network that holds an address. Verdicts are remembered, up to a number, then afresh. */
export function createNetworkMatcher<T extends { readonly cidr: string }>(
  rules: readonly T[],
  maxVerdicts = 4096,
): (address: string) => T | undefined {
  const compiled = rules.map((rule) => ({ rule, range: parseNetwork(rule.cidr) }));
  compiled.sort((a, b) => b.range[1] - a.range[1]);
  const verdicts = new Map<string, T | undefined>();
  return (address) => {
    if (verdicts.has(address)) return verdicts.get(address);
    const verdict = findRule(address);
    if (verdicts.size >= maxVerdicts) verdicts.clear();
    verdicts.set(address, verdict);
    return verdict;
  };

  function findRule(address: string): T | undefined {
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return undefined;
    const parsed = ipaddr.parse(canonical);
    return compiled.find(({ range }) => range[0].kind() === parsed.kind() && parsed.match(range))?.rule;
  }
}

function parseNetwork(cidr: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const canonical = canonicalNetwork(cidr);
  if (canonical === undefined) throw new TypeError(`not a network: ${cidr}`);
  return ipaddr.parseCIDR(canonical);
}
