import type { PeerCalls } from '#vocabulary/peers';
import { signAnswer, signatureHeader, signCall } from './peer-signature.ts';

/** A gateway that says nothing for so long is not asked any further; the body may take any time. */
const headersMs = 3_000;

export function createPeerCalls(parts: {
  readonly secret: string;
  /** Of those whose news are fresh. */
  readonly addresses: () => ReadonlyMap<string, string>;
  /** Of the others too, as long as nobody has found them dead. */
  readonly lastAddresses: () => ReadonlyMap<string, string>;
}): PeerCalls {
  return {
    gateways: () => idsOf(parts.lastAddresses()),
    living: () => idsOf(parts.addresses()),
    async ask(gatewayId, call) {
      const address = parts.lastAddresses().get(gatewayId);
      if (address === undefined || address === '') return undefined;
      const path = `/peer/${call.path}`;
      const query = new URLSearchParams(call.query).toString();
      const signed = { gatewayId, method: call.method, path, query };
      const silence = new AbortController();
      const tooLong = setTimeout(() => silence.abort(), headersMs).unref();
      try {
        const { status, headers, body } = await fetch(`${address}${path}?${query}`, {
          method: call.method,
          headers: { [signatureHeader]: signCall(parts.secret, signed) },
          redirect: 'error',
          signal: AbortSignal.any([silence.signal, call.signal]),
        });
        // A refusal to talk at all: another service, or a process that shares the address.
        if (status === 403) return undefined;
        const isSigned = headers.get(signatureHeader) === signAnswer(parts.secret, signed);
        return {
          status,
          isSigned,
          header: (name) => headers.get(name) ?? undefined,
          body: body ?? nothing(),
        };
      } catch {
        return undefined;
      } finally {
        clearTimeout(tooLong);
      }
    },
    async isGone(gatewayId) {
      const address = parts.addresses().get(gatewayId);
      if (address === undefined || address === '') return true;
      try {
        await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(headersMs) });
        return false;
      } catch (error) {
        return error instanceof TypeError && isRefused(error.cause);
      }
    },
  };
}

function idsOf(addresses: ReadonlyMap<string, string>): readonly string[] {
  return [...addresses].filter(([, address]) => address !== '').map(([id]) => id);
}

/** The machine is there, and nobody listens: a network that is cut says nothing, or something else. */
function isRefused(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

async function* nothing(): AsyncIterable<Uint8Array> {}
