import { isObject } from '#dialects/json-object';
import { answerId } from '#dialects/answer-id';
import { type Split, ThinkSplitter } from '#dialects/think-splitter';
import type { Route } from '#vocabulary/inference';
import { StandardChoices } from './standard-choices.ts';
import { strays } from './strays.ts';

/** Brings the answers of an engine that speaks another form into the public one. One per request. */
export interface Rewriter {
  /** Frames that differ in their words alone do so afterwards too, and their words are the same. */
  readonly keepsWords: boolean;
  rewriteChunk(chunk: Json): Json;
  rewriteAnswer(answer: Json): Json;
}

type Json = Record<string, unknown>;

/** Undefined when the engine's own bytes are already what the caller should see. */
export function createRewriter(route: Route): Rewriter | undefined {
  const { request } = route;
  const { replica } = route;
  const renames = replica.upstreamModel !== request.model.id;
  const reasoning = request.endpoint === 'chat/completions' ? reasoningChange(route) : 'none';
  const isGeneration = request.endpoint === 'chat/completions' || request.endpoint === 'completions';
  const hidesCache = isGeneration && cannotSalt(route);
  const strayed = isGeneration && (route.earlierTries > 0 || strays(route));
  if (!renames && reasoning === 'none' && !hidesCache && !strayed) return undefined;
  const publicModel = request.model.id;
  const standard = new StandardChoices();
  const voices = new Map<number, Voice>();
  let created: unknown;

  return {
    keepsWords: reasoning === 'none' || reasoning === 'to-fields',
    rewriteChunk: (chunk) => rewrite(chunk, 'delta'),
    rewriteAnswer: (answer) => rewrite(answer, 'message'),
  };

  function rewrite(value: Json, part: 'delta' | 'message'): Json {
    const rewritten: Json = { ...value };
    if ('model' in rewritten) rewritten.model = publicModel;
    if (isGeneration) {
      // Of one stream, whatever number of choices it has and however long it takes.
      rewritten.id = answerId(request);
      rewritten.created = created ??= value.created;
    }
    for (const inside of ['response', 'message'] as const) {
      const spokenOf = value[inside];
      if (isObject(spokenOf) && 'model' in spokenOf) rewritten[inside] = { ...spokenOf, model: publicModel };
    }
    if (isObject(value.usage)) {
      const usage = withReasoningDetails(value.usage);
      rewritten.usage = hidesCache ? withoutCacheDetails(usage) : usage;
    }
    if (hidesCache && isObject(value.timings)) rewritten.timings = withoutCacheDetails(value.timings);
    if (!isGeneration || !Array.isArray(value.choices)) return rewritten;
    rewritten.choices = value.choices.map((choice: unknown) => {
      if (!isObject(choice)) return choice;
      const thinking = reasoning === 'none' ? choice : rewriteChoice(choice, part);
      return standard.standardize(thinking, part);
    });
    return rewritten;
  }

  function rewriteChoice(choice: Json, part: 'delta' | 'message'): Json {
    const spoken = choice[part];
    if (!isObject(spoken)) return choice;
    const index = typeof choice.index === 'number' ? choice.index : 0;
    let voice = voices.get(index);
    if (voice === undefined) {
      voice = {
        isThinking: false,
        splitter: reasoning === 'tags-to-fields' ? new ThinkSplitter() : undefined,
      };
      voices.set(index, voice);
    }
    const isLast = part === 'message' || typeof choice.finish_reason === 'string';
    return {
      ...choice,
      [part]: reasoning === 'to-tags' ? toTags(spoken, voice, isLast) : toFields(spoken, voice, isLast),
    };
  }
}

interface Voice {
  isThinking: boolean;
  readonly splitter: ThinkSplitter | undefined;
}

/** `fields` to `fields` is a change too: engines fill one of the two reasoning fields, the public form has both. */
function reasoningChange(route: Route): 'none' | 'to-fields' | 'to-tags' | 'tags-to-fields' {
  const wanted = route.request.reasoning;
  const given = route.replica.upstreamReasoning;
  if (wanted === 'none' || given === 'none') return 'none';
  if (given === 'fields') return wanted === 'separate' ? 'to-fields' : 'to-tags';
  return wanted === 'separate' ? 'tags-to-fields' : 'none';
}

function toFields(spoken: Json, voice: Voice, isLast: boolean): Json {
  if (voice.splitter !== undefined) {
    const { reasoning, content } = splitTags(voice.splitter, spoken.content, isLast);
    if (typeof spoken.content !== 'string' && content === '' && reasoning === '') return spoken;
    const rewritten: Json = { ...spoken, content };
    return reasoning === '' ? rewritten : { ...rewritten, reasoning, reasoning_content: reasoning };
  }
  const thought = thoughtOf(spoken);
  return thought === undefined ? spoken : { ...spoken, reasoning: thought, reasoning_content: thought };
}

function splitTags(splitter: ThinkSplitter, content: unknown, isLast: boolean): Split {
  const split = typeof content === 'string' ? splitter.push(content) : { reasoning: '', content: '' };
  if (!isLast) return split;
  const rest = splitter.finish();
  return { reasoning: split.reasoning + rest.reasoning, content: split.content + rest.content };
}

function toTags(spoken: Json, voice: Voice, isLast: boolean): Json {
  const { reasoning: _reasoning, reasoning_content: _reasoningContent, ...rest } = spoken;
  const thought = thoughtOf(spoken) ?? '';
  const said = typeof spoken.content === 'string' ? spoken.content : '';
  let content = '';
  if (thought !== '') {
    if (!voice.isThinking) content += '<think>';
    voice.isThinking = true;
    content += thought;
  }
  const speaks = said !== '' || isLast || Array.isArray(spoken.tool_calls);
  if (voice.isThinking && speaks) {
    voice.isThinking = false;
    content += '</think>';
  }
  content += said;
  return content === '' ? rest : { ...rest, content };
}

function thoughtOf(spoken: Json): string | undefined {
  for (const thought of [spoken.reasoning, spoken.reasoning_content]) {
    if (typeof thought === 'string' && thought !== '') return thought;
  }
  return undefined;
}

/** These engines hold prompts of everybody together; how much of one was held would tell what others asked. */
function cannotSalt({ engine }: Route): boolean {
  return engine.kind === 'llama-server' || engine.kind === 'openai';
}

function withoutCacheDetails(told: Json): Json {
  const { cache_n: _held, prompt_tokens_details: _details, ...rest } = told;
  return rest;
}

/** SGLang counts reasoning tokens beside the details where OpenAI's clients look. */
function withReasoningDetails(usage: Json): Json {
  if (typeof usage.reasoning_tokens !== 'number') return usage;
  const details = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return { ...usage, completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens, ...details } };
}
