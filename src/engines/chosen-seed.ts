import type { EngineKind } from '#vocabulary/catalogue';
import type { ParsedRequest } from '#vocabulary/inference';

/** Engines that take a seed and heed it, where the version does. Of other makes nobody knows. */
const takesSeeds: ReadonlySet<EngineKind> = new Set<EngineKind>([
  'vllm',
  'sglang',
  'llama-server',
  'embedded',
]);

/**
 * The seed for a request that leaves a receipt and whose caller gave none: an answer can be had again only when its
 * seed is known. It is taken from the request's id, whose end is random. Not for several answers at once: some engines
 * would write the same one several times.
 */
export function chosenSeed(kind: EngineKind, request: ParsedRequest): number | undefined {
  if (!request.leavesReceipt || request.sequences !== 1 || !takesSeeds.has(kind)) return undefined;
  if (request.endpoint !== 'chat/completions' && request.endpoint !== 'completions') return undefined;
  const given = request.envelope.fields.get('seed');
  if (given !== undefined && given.kind !== 'null') return undefined;
  return Number.parseInt(request.exchange.requestId.slice(-8), 16) & 0x7fff_ffff;
}
