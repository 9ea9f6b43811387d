import { type Envelope, readString, readValue, spliceParts } from '#dialects/envelope';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { Route } from '#vocabulary/inference';
import { chosenSeed } from './chosen-seed.ts';
import { goOnWith } from './continuation.ts';
import { type EngineKindRules, isGeneration, type TryMark } from './engine-kind.ts';

/**
 * The body an engine gets, in pieces: the caller's own bytes with these few edits and no others.
 * - `model` becomes the name the engine knows;
 * - a stream is asked for its usage, for the books;
 * - what only confuses engines goes: empty `tools`, `tool_choice` without tools, `stream_options` without a stream,
 *   `separate_reasoning` where the gateway does the separating;
 * - a request that leaves a receipt gets a seed when it has none (`chosen-seed.ts`);
 * - an answer whose engine died is gone on with (`continuation.ts`);
 * - what one kind of engine needs besides stands in its own folder.
 */
export function outboundBody(
  route: Route,
  rules: EngineKindRules,
  mark: TryMark,
  begun?: BegunAnswer,
): Buffer[] {
  const { request } = route;
  const { envelope } = request;
  const edits = new Map<string, string | undefined>();
  if (readString(envelope, 'model') !== route.replica.upstreamModel) {
    edits.set('model', JSON.stringify(route.replica.upstreamModel));
  }
  if (isGeneration(route)) {
    if (!request.wantsStream) takeOut(envelope, edits, 'stream_options');
    else if (!request.wantsUsage) edits.set('stream_options', streamOptionsWithUsage(envelope));
  }
  if (hasNoTools(envelope)) {
    takeOut(envelope, edits, 'tools');
    takeOut(envelope, edits, 'tool_choice');
  }
  if (!rules.speaksPublicForm) takeOut(envelope, edits, 'separate_reasoning');
  const seed = chosenSeed(route.engine.kind, request);
  if (seed !== undefined) edits.set('seed', String(seed));
  rules.adjustBody(edits, route, mark);
  if (begun !== undefined) goOnWith(edits, request, begun);
  return spliceParts(envelope, edits);
}

function takeOut(envelope: Envelope, edits: Map<string, string | undefined>, name: string): void {
  if (envelope.fields.has(name)) edits.set(name, undefined);
}

function streamOptionsWithUsage(envelope: Envelope): string {
  const given =
    envelope.fields.get('stream_options')?.kind === 'object'
      ? readValue(envelope, 'stream_options')
      : undefined;
  return JSON.stringify({ ...(given as object | undefined), include_usage: true });
}

function hasNoTools(envelope: Envelope): boolean {
  const tools = envelope.fields.get('tools');
  if (tools === undefined || tools.kind !== 'array') return true;
  return (
    tools.valueEnd - tools.valueStart <= 16 &&
    /^\[\s*\]$/.test(envelope.body.toString('latin1', tools.valueStart, tools.valueEnd))
  );
}
