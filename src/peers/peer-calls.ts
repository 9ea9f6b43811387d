import type { PeerCalls } from '#vocabulary/peers';
import { signAnswer, signatureHeader, signCall } from './peer-signature.ts';

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

/** The machine is there, and nobody listens: a network that is cut says nothing, or something else. */
function isRefused(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

async function* nothing(): AsyncIterable<Uint8Array> {}
