import type { SignedReceipt } from '#contract/receipts';
import type { ReceiptFacts } from '#vocabulary/receipts';
import type { UsageRecord } from '#vocabulary/usage';
import { canonicalJson } from './canonical-json.ts';
import type { SigningKey } from './signing-key.ts';

/** The receipt of a request, signed; undefined when none was kept for it. */
export function issueReceipt(
  record: UsageRecord,
  service: string,
  key: SigningKey,
): SignedReceipt | undefined {
  const facts = record.receipt === undefined ? undefined : (JSON.parse(record.receipt) as ReceiptFacts);
  if (facts === undefined) return undefined;
  const { usage } = record;
  const receipt: SignedReceipt['receipt'] = {
    version: 1,
    service,
    request_id: record.requestId,
    created_at: new Date(record.startedAt).toISOString(),
    duration_ms: Math.round(record.durationMs),
    endpoint: record.endpoint,
    model: record.model,
    engine: {
      name: record.engine ?? '',
      kind: facts.engineKind,
      version: facts.engineVersion ?? null,
      as_of: facts.engineAsOf === undefined ? null : new Date(facts.engineAsOf).toISOString(),
    },
    weights: { name: facts.weights ?? null, sha256: facts.weightsSha256 ?? null },
    chat_template: { sha256: facts.templateSha256 ?? null },
    parameters: facts.parameters,
    defaults: facts.defaults ?? {},
    seed: seedOf(facts),
    ignored_parameters: facts.ignored ?? [],
    prompt: facts.prompt,
    answer: facts.answer,
    tool_calls: facts.toolCalls ?? null,
    ending: record.ending,
    continuations: record.continuations ?? 0,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cached_tokens: usage.cachedTokens,
      reasoning_tokens: usage.reasoningTokens,
      is_estimated: usage.isEstimated,
    },
  };
  const signature = key.sign(Buffer.from(canonicalJson(receipt)));
  return { receipt, signature: { algorithm: 'Ed25519', key_id: key.id, value: signature } };
}

function seedOf({ parameters, chosenSeed }: ReceiptFacts): SignedReceipt['receipt']['seed'] {
  if (chosenSeed !== undefined) return { value: chosenSeed, chosen_by: 'service' };
  const given = parameters['seed'];
  return typeof given === 'number' ? { value: given, chosen_by: 'caller' } : null;
}
