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
 * The seed for a request that leaves a receipt, or with which another gateway may have to go on, and whose caller gave
 * none: an answer can be had again only when its seed is known. It is taken from the id of the request that began it,
 * whose end is random. Not for several answers at once: some engines would write the same one several times. Without a
 * receipt only engines of our own get one, since only they write the same again for whoever goes on.
 */
export function chosenSeed(kind: EngineKind, request: ParsedRequest): number | undefined {
  const { seedSource, leavesReceipt, sequences } = request;
  if (seedSource === undefined || sequences !== 1 || !takesSeeds.has(kind)) return undefined;
  if (!leavesReceipt && kind !== 'embedded') return undefined;
  if (request.endpoint !== 'chat/completions' && request.endpoint !== 'completions') return undefined;
  const given = request.envelope.fields.get('seed');
  if (given !== undefined && given.kind !== 'null') return undefined;
  return Number.parseInt(seedSource.slice(-8), 16) & 0x7fff_ffff;
}
