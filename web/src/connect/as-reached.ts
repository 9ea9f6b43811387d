import type { ConnectFacts } from '#contract/connect';

/** A service that nobody has told its name takes itself for loopback; whoever reads the page knows where it is. */
export function asReached(facts: ConnectFacts, origin: string): ConnectFacts {
  const { publicUrl, proxyBase, models } = facts;
  if (!/^https?:\/\/(?:localhost|127\.|\[::1\])/.test(publicUrl)) return facts;
  const { protocol, hostname, port } = new URL(origin);
  const moved = (address: string) => origin + address.slice(publicUrl.length);
  return {
    ...facts,
    publicUrl: origin,
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    proxyBase: moved(proxyBase),
    models: models.map((model) => ({ ...model, directBase: moved(model.directBase) })),
  };
}
