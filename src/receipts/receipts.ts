/**
 * What stands behind an answer: model, engine, weights, every parameter, the digests of question and answer. Gathered
 * while the answer passes, kept with its usage record, put into words and signed when somebody asks for it.
 */
import type { EngineKind } from '#vocabulary/catalogue';
import { exchangeWith } from '#vocabulary/exchange';
import type { Outcome, ParsedRequest } from '#vocabulary/inference';
import type { EngineIdentity, ReceiptDesk, ReceiptFacts } from '#vocabulary/receipts';
import { AnswerDigest } from './answer-digest.ts';
import { ObservedReply } from './observed-reply.ts';
import { parametersInEffect } from './parameters-in-effect.ts';
import { createPromptDigests, type PromptDigest } from './prompt-digest.ts';

export interface ReceiptParts {
  /** Undefined when there is no such engine any more. */
  readonly kindOf: (engineName: string) => EngineKind | undefined;
  readonly identityOf: (engineName: string) => EngineIdentity | undefined;
  /** The seed that was sent along because the caller gave none. */
  readonly chosenSeed: (kind: EngineKind, request: ParsedRequest) => number | undefined;
}

export function createReceipts(parts: ReceiptParts): ReceiptDesk {
  /** What every answer of an engine has in common, as long as the engine says the same of itself. */
  const engineTexts = new WeakMap<EngineIdentity, string>();
  const promptDigests = createPromptDigests();

  return {
    open(request) {
      if (!request.leavesReceipt || !isGeneration(request)) return undefined;
      const digest = new AnswerDigest(request);
      const prompt = promptDigests.open(request);
      return {
        request: request.wantsStream ? observed(request, digest) : request,
        write(outcome, engineName) {
          const kind = parts.kindOf(engineName);
          if (kind === undefined || outcome.status >= 300) return undefined;
          const ofEngine = engineText(kind, parts.identityOf(engineName));
          return ofEngine + JSON.stringify(describeAnswer(request, outcome, digest, prompt, kind)).slice(1);
        },
      };
    },
  };

  /** An object that has been begun. */
  function engineText(engineKind: EngineKind, identity: EngineIdentity | undefined): string {
    const known = identity && engineTexts.get(identity);
    if (known !== undefined) return known;
    const facts: EngineFacts = {
      engineKind,
      engineVersion: identity?.version,
      weights: identity?.weights,
      weightsSha256: identity?.weightsSha256,
      templateSha256: identity?.templateSha256,
      engineAsOf: identity?.asOf,
    };
    const text = `${JSON.stringify(facts).slice(0, -1)},`;
    if (identity !== undefined) engineTexts.set(identity, text);
    return text;
  }

  function describeAnswer(
    request: ParsedRequest,
    outcome: Outcome,
    digest: AnswerDigest,
    prompt: PromptDigest,
    engineKind: EngineKind,
  ): Omit<ReceiptFacts, keyof EngineFacts> {
    const { ignored, model } = request;
    const { answer, toolCalls } = digest.read(outcome.heldBack);
    return {
      parameters: parametersInEffect(request.envelope),
      // Other engines have defaults of their own, of which nobody here knows.
      defaults: engineKind === 'embedded' ? model.samplingDefaults : undefined,
      chosenSeed: parts.chosenSeed(engineKind, request),
      ignored: ignored.length === 0 ? undefined : ignored.slice(0, 32).map((name) => name.slice(0, 64)),
      prompt: prompt.read(),
      answer,
      toolCalls,
    };
  }
}

type EngineFacts = Pick<
  ReceiptFacts,
  'engineKind' | 'engineVersion' | 'weights' | 'weightsSha256' | 'templateSha256' | 'engineAsOf'
>;

function isGeneration({ endpoint }: ParsedRequest): boolean {
  return endpoint === 'chat/completions' || endpoint === 'completions';
}

function observed(request: ParsedRequest, digest: AnswerDigest): ParsedRequest {
  const { exchange } = request;
  const reply = new ObservedReply(exchange.reply, digest);
  const forgetBody = (body: Buffer) => exchange.forgetBody?.(body);
  return { ...request, exchange: exchangeWith(exchange, { reply, forgetBody }) };
}

export { createWeightsFiles } from './weights-files.ts';
export { createReceiptReader, type ReadReceipt } from './receipt-reader.ts';
export { createSigningKey } from './signing-key.ts';
export { readPublicKeys, readReceipt, verifyReceipt } from './verify-receipt.ts';
