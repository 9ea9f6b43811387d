import { type Envelope, readValue } from '#dialects/envelope';
import { isObject } from '#dialects/json-object';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import { EngineFault } from '#vocabulary/engine-fault';
import type { ParsedRequest, Route } from '#vocabulary/inference';
import { chosenSeed } from './chosen-seed.ts';
import type { EngineKindRules } from './engine-kind.ts';

/**
 * Whether an engine of this kind can go on with an answer whose engine died. An answer of which no word had been
 * written is asked for anew: but no engine of our own gets a request again with which another one has died.
 */
export function canGoOn(rules: EngineKindRules, request: ParsedRequest, begun: BegunAnswer): boolean {
  if (begun.text === '' && begun.thoughts === '') return !rules.isOurOwn || begun.lostEngines.length === 0;
  const isInside = begun.isThinking || isConstrained(request.envelope);
  if (request.endpoint === 'completions') return !isInside;
  return rules.continues === 'everything' || (rules.continues === 'answers' && !isInside);
}

/**
 * Whether the engine writes the same once more when it is asked the same. Then nothing has to be made of the words: as
 * text they would be cut into other tokens here and there than those that were chosen, and go on differently.
 */
export function canReplay(rules: EngineKindRules, { engine, request }: Route, begun: BegunAnswer): boolean {
  const { seen } = begun;
  if (!rules.isOurOwn || seen === undefined || seen.text + seen.thoughts === '') return false;
  const { fields } = request.envelope;
  const isNumber = (name: string) => fields.get(name)?.kind === 'number';
  if (isNumber('seed') || (isNumber('temperature') && readValue(request.envelope, 'temperature') === 0))
    return true;
  return chosenSeed(engine.kind, request) !== undefined;
}

/** The conversation with what was written as the beginning of its last message, and the limits less what was used. */
export function goOnWith(
  edits: Map<string, string | undefined>,
  { envelope, endpoint }: ParsedRequest,
  begun: BegunAnswer,
): void {
  if (begun.isReplayed) {
    edits.set('expected_text', JSON.stringify(writtenBy(begun) + begun.trailingBlanks));
    return;
  }
  if (begun.text === '' && begun.thoughts === '') return;
  shrinkLimits(edits, envelope, endpoint === 'completions', begun.outputTokens);
  if (endpoint === 'completions') {
    edits.set('prompt', JSON.stringify(String(readValue(envelope, 'prompt')) + begun.text));
    return;
  }
  edits.set('messages', continuedMessages(envelope, begun));
  edits.set('continue_final_message', 'true');
  edits.set('add_generation_prompt', 'false');
}

/** As the model has written it, for counting its tokens. */
export function writtenBy({ thoughts, isThinking, text }: BegunAnswer): string {
  if (thoughts === '') return text;
  const thought = `<think>\n${thoughts.trimStart()}`;
  return isThinking ? thought : `${thought}\n</think>\n\n${text}`;
}

function continuedMessages(envelope: Envelope, begun: BegunAnswer): string {
  if (envelope.fields.get('continue_final_message')?.kind === 'boolean') {
    if (readValue(envelope, 'continue_final_message') === true) return withLongerLast(envelope, begun);
  }
  const { thoughts, isThinking, text } = begun;
  const message = isThinking
    ? { role: 'assistant', content: writtenBy(begun) }
    : {
        role: 'assistant',
        // Engines differ in the name under which they read them.
        ...(thoughts !== '' && { reasoning: thoughts.trim(), reasoning_content: thoughts.trim() }),
        content: text,
      };
  const field = envelope.fields.get('messages');
  const list = envelope.body.toString('utf8', field?.valueStart, field?.valueEnd);
  const before = list.slice(0, list.lastIndexOf(']'));
  return `${before}${/^\[\s*$/.test(before) ? '' : ','}${JSON.stringify(message)}]`;
}

/** The caller had begun the answer, and the engine went on with it. */
function withLongerLast(envelope: Envelope, { thoughts, text }: BegunAnswer): string {
  const messages = readValue(envelope, 'messages');
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!Array.isArray(messages) || !isObject(last) || typeof last.content !== 'string' || thoughts !== '')
    throw new EngineFault('the begun message cannot be made longer', { retry: 'never' });
  return JSON.stringify([...(messages.slice(0, -1) as unknown[]), { ...last, content: last.content + text }]);
}

/** What a text completion is given that asks for no number of tokens. */
const defaultTextTokens = 16;

function shrinkLimits(
  edits: Map<string, string | undefined>,
  envelope: Envelope,
  isText: boolean,
  writtenTokens: number,
): void {
  for (const [name, least] of [
    ['max_tokens', 1],
    ['max_completion_tokens', 1],
    ['min_tokens', 0],
  ] as const) {
    const limit = envelope.fields.get(name)?.kind === 'number' ? readValue(envelope, name) : undefined;
    if (typeof limit === 'number') edits.set(name, String(Math.max(least, limit - writtenTokens)));
    else if (isText && name === 'max_tokens' && writtenTokens < defaultTextTokens)
      edits.set(name, String(defaultTextTokens - writtenTokens));
  }
}

/** Most engines can begin a grammar only at its beginning. */
function isConstrained(envelope: Envelope): boolean {
  const { fields } = envelope;
  if (shapes.some((name) => fields.has(name) && fields.get(name)?.kind !== 'null')) return true;
  const format = fields.get('response_format')?.kind === 'object' && readValue(envelope, 'response_format');
  if (isObject(format) && format.type !== 'text') return true;
  const choice = fields.get('tool_choice');
  return (
    choice?.kind === 'object' ||
    (choice?.kind === 'string' && readValue(envelope, 'tool_choice') === 'required')
  );
}

const shapes = [
  'structured_outputs',
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'json_schema',
  'structural_tag',
  'grammar',
  'regex',
  'ebnf',
];
