import type { PeerCalls } from '#vocabulary/peers';
import { signatureHeader, signCall } from './peer-signature.ts';

/** A gateway that says nothing for so long is not asked any further; the body may take any time. */
const headersMs = 3_000;

export function createPeerCalls(parts: {
  readonly secret: string;
  readonly addresses: () => ReadonlyMap<string, string>;
}): PeerCalls {
  return {
    gateways: () => [...parts.addresses()].filter(([, address]) => address !== '').map(([id]) => id),
    async ask(gatewayId, call) {
      const address = parts.addresses().get(gatewayId);
      if (address === undefined || address === '') return undefined;
      const path = `/peer/${call.path}`;
      const query = new URLSearchParams(call.query).toString();
      const signature = signCall(parts.secret, { gatewayId, method: call.method, path, query });
      const silence = new AbortController();
      const tooLong = setTimeout(() => silence.abort(), headersMs).unref();
      try {
        const { status, headers, body } = await fetch(`${address}${path}?${query}`, {
          method: call.method,
          headers: { [signatureHeader]: signature },
          redirect: 'error',
          signal: AbortSignal.any([silence.signal, call.signal]),
        });
        // A refusal to talk at all: another service, or a process that shares the address.
        if (status === 403) return undefined;
        return { status, header: (name) => headers.get(name) ?? undefined, body: body ?? nothing() };
      } catch {
        return undefined;
      } finally {
        clearTimeout(tooLong);
      }
    },
  };
}

async function* nothing(): AsyncIterable<Uint8Array> {}
