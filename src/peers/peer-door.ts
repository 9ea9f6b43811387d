import type { Exchange } from '#vocabulary/exchange';
import type { PeerService } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import { isSigned, signAnswer, signatureHeader } from './peer-signature.ts';

/** Where other gateways of the service come in, and nobody else: everything under `/peer/`. */
export function createPeerDoor(parts: {
  readonly secret: string;
  readonly ownId: () => string;
  /** By the first word of the path. */
  readonly services: Readonly<Record<string, PeerService>>;
}): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const { method, path, query, headers } = exchange;
    const signature = headers[signatureHeader];
    const call = { gatewayId: parts.ownId(), method, path, query };
    if (typeof signature !== 'string' || !isSigned(parts.secret, call, signature)) throw notOneOfUs();
    const [, kind = '', id = '', verb = ''] = /^\/peer\/(\w+)\/([\w-]{1,128})(?:\/(\w+))?$/.exec(path) ?? [];
    const service = Object.hasOwn(parts.services, kind) ? parts.services[kind] : undefined;
    if (service === undefined) throw new Refusal('not_found', 'This gateway does no such thing for others.');
    exchange.reply.announce([signatureHeader, signAnswer(parts.secret, call)]);
    await service({ exchange, id, verb, query: new URLSearchParams(query) });
  };
}

function notOneOfUs(): Refusal {
  return new Refusal('permission_denied', 'This address is for other gateways of this service only.');
}
