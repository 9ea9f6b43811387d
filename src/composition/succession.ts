/** How the process that a restart has started reads what is kept in the one before it, as long as that one is there. */
import { createHttp, type HttpServer } from '#http';
import type { Listening } from './listening.ts';
import { createPeerCalls, createPeerDoor } from '#peers';
import type { PeerCalls, PeerService } from '#vocabulary/peers';

/** As it is called between the two; both are one gateway to everybody else. */
const predecessor = 'predecessor';

/** The other gateways and, behind an address of its own, the process before this one. */
export function callsWithPredecessor(
  secret: string,
  url: string | undefined,
  calls: PeerCalls | undefined,
): PeerCalls | undefined {
  if (url === undefined) return calls;
  const addresses = new Map([[predecessor, url]]);
  const own = createPeerCalls({ secret, addresses: () => addresses, lastAddresses: () => addresses });
  const callsOf = (gatewayId: string) => (gatewayId === predecessor ? own : calls);
  return {
    gateways: () => [...own.gateways(), ...(calls?.gateways() ?? [])],
    living: () => [...own.living(), ...(calls?.living() ?? [])],
    ask: async (gatewayId, call) => await callsOf(gatewayId)?.ask(gatewayId, call),
    async isGone(gatewayId) {
      const isGone = (await callsOf(gatewayId)?.isGone(gatewayId)) ?? true;
      if (isGone) addresses.delete(gatewayId);
      return isGone;
    },
  };
}

/** Where the next process finds this one: on this machine, and with the secret of the service. */
export function createSuccession(
  secret: string,
  services: Readonly<Record<string, PeerService>>,
): { open(listening: Listening): Promise<string>; close(): Promise<void> } {
  const handle = createPeerDoor({ secret, ownId: () => predecessor, services });
  let http: HttpServer | undefined;
  return {
    async open(listening) {
      await http?.close();
      http = createHttp({
        ...listening,
        listen: { host: '127.0.0.1', port: 0 },
        tls: undefined,
        routeOf: () => ({ door: 'none', headers: [], handle }),
      });
      return (await http.listen()).url;
    },
    close: async () => await http?.close(),
  };
}
