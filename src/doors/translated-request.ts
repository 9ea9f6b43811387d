import { type Envelope, readEnvelope } from '#dialects/envelope';
import { jsonFault } from '#dialects/json-fault';
import type { JsonObject } from '#dialects/json-object';
import type { AnswerObserver, RecalledAnswer, Translation } from '#dialects/translation';
import type { ModelDefinition } from '#vocabulary/catalogue';
import { type Exchange, exchangeWith } from '#vocabulary/exchange';
import { checkParameters, type ParameterLimits } from './parameter-rules.ts';
import { TranslatedReply } from './translated-reply.ts';

export interface TranslationLimits extends ParameterLimits {
  readonly maxJsonDepth: number;
  readonly maxJsonValues: number;
}

/** A question in another dialect as a chat completion, with the reply that answers in that dialect. */
export interface TranslatedRequest {
  readonly envelope: Envelope;
  readonly exchange: Exchange;
  readonly ignored: readonly string[];
}

/**
 * Also what an engine will get as it came is translated: so nothing that is refused in a chat gets by in another
 * dialect. `begin` is called only for what is going to be answered through the translation.
 */
export function translateRequest(
  translation: Translation,
  body: JsonObject,
  model: ModelDefinition,
  exchange: Exchange,
  limits: TranslationLimits,
  recalled: RecalledAnswer | undefined,
): { begin(observer: AnswerObserver | undefined): TranslatedRequest } {
  const question = translation.read(body, model);
  const chat = Buffer.from(JSON.stringify({ ...question.chat, ...addedByTheDoor(body, model) }));
  exchange.memory.takeForRequest(chat.length);
  const envelope = readEnvelope(chat, limits.maxJsonDepth, limits.maxJsonValues);
  checkParameters(envelope, translation.endpoint, model, limits);
  return {
    begin(observer) {
      if (question.ignored.length > 0)
        exchange.reply.announce(['gatehouse-ignored', question.ignored.join(', ')]);
      const { requestId } = recalled ?? exchange;
      const receivedAt = recalled?.receivedAt ?? exchange.receivedAt;
      const translator = question.answer({ requestId, receivedAt, observer });
      const reply = new TranslatedReply(exchange, translator, translation.errorBody);
      if (recalled !== undefined && exchange.reply.hasBegun) reply.recall(recalled);
      return { envelope, exchange: exchangeWith(exchange, { reply }), ignored: question.ignored };
    },
  };
}

/** The usage is asked for in any case, because every dialect but chat tells it unasked. */
function addedByTheDoor(body: JsonObject, model: ModelDefinition): JsonObject {
  return {
    model: model.id,
    ...(body.stream === true ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(model.reasoning === 'none' ? {} : { separate_reasoning: true }),
  };
}

export function parseBody({ body }: Envelope): JsonObject {
  try {
    return JSON.parse(body.toString()) as JsonObject;
  } catch (cause) {
    throw jsonFault(body) ?? cause;
  }
}
