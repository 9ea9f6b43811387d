import type { ErrorShape } from './simulated-plan.ts';

export type EngineFlavour = 'vllm' | 'vllm-0.10' | 'sglang' | 'llama-server' | 'openai';
export type Json = Record<string, unknown>;

export interface ToolCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly argumentPieces: readonly string[];
}

/** Everything an engine is going to say, before it is put into that engine's words. */
export interface Answer {
  readonly reasoningPieces: readonly string[];
  readonly contentPieces: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
}

/** Where the wire shapes of the engines differ, one function per place. */
export interface Stamp {
  readonly flavour: EngineFlavour;
  readonly id: string;
  readonly model: string;
  readonly created: number;
  /** How many chunks have been stamped. */
  chunks: number;
}

export function isVllm(flavour: EngineFlavour): boolean {
  return flavour === 'vllm' || flavour === 'vllm-0.10';
}

/** The field in which an engine delivers thinking it has parsed out of the text. */
export function reasoningField(flavour: EngineFlavour): 'reasoning' | 'reasoning_content' {
  return flavour === 'vllm' ? 'reasoning' : 'reasoning_content';
}

export function chatChunk(stamp: Stamp, delta: Json, finishReason: string | null = null): Json {
  return {
    id: stamp.id,
    object: 'chat.completion.chunk',
    created: chunkCreated(stamp),
    model: stamp.model,
    ...(stamp.flavour === 'llama-server' || stamp.flavour === 'openai'
      ? { system_fingerprint: 'fp-sim' }
      : {}),
    choices: [{ index: 0, delta, ...choiceTail(stamp.flavour, finishReason) }],
    ...(stamp.flavour === 'openai' ? { usage: null } : {}),
  };
}

export function roleDelta(flavour: EngineFlavour): Json {
  if (flavour === 'sglang') return { role: 'assistant', content: '', reasoning_content: null };
  if (flavour === 'llama-server') return { role: 'assistant', content: null };
  return { role: 'assistant', content: '' };
}

export function contentDelta(flavour: EngineFlavour, text: string): Json {
  return flavour === 'sglang' ? { reasoning_content: null, content: text } : { content: text };
}

export function reasoningDelta(flavour: EngineFlavour, text: string): Json {
  return { [reasoningField(flavour)]: text };
}

/** One opening delta with id, type and name, then fragments of the arguments. */
export function toolCallDeltas(flavour: EngineFlavour, call: ToolCall): Json[] {
  const open = {
    index: call.index,
    id: call.id,
    type: 'function',
    // vLLM names the function first and says nothing of arguments yet.
    function: flavour === 'vllm' ? { name: call.name } : { name: call.name, arguments: '' },
  };
  const fragments = call.argumentPieces.map((piece) =>
    flavour === 'sglang'
      ? { index: call.index, id: null, type: 'function', function: { name: null, arguments: piece } }
      : { index: call.index, function: { arguments: piece } },
  );
  const beside =
    flavour === 'sglang'
      ? { role: null, content: null, reasoning_content: null }
      : flavour === 'vllm'
        ? { content: null }
        : {};
  return [open, ...fragments].map((toolCall) => ({ ...beside, tool_calls: [toolCall] }));
}

export function finishDelta(flavour: EngineFlavour): Json {
  return flavour === 'sglang' ? { reasoning_content: null } : {};
}

/** vLLM puts the finish reason on the chunk with the last delta; the others send a chunk of its own. */
export function finishesOnLastDelta(flavour: EngineFlavour): boolean {
  return isVllm(flavour);
}

export function usageChunk(stamp: Stamp, object: string, answer: Answer): Json {
  return {
    id: stamp.id,
    object,
    created: chunkCreated(stamp),
    model: stamp.model,
    choices: [],
    usage: usageOf(stamp.flavour, answer),
    ...(stamp.flavour === 'llama-server'
      ? { timings: { prompt_n: answer.promptTokens, predicted_n: 1 } }
      : {}),
  };
}

/** What `continuous_usage_stats` adds to every chunk, where an engine knows it: nothing is said of caches. */
export function runningUsage(flavour: EngineFlavour, answer: Answer, written: number): Json | undefined {
  if (!isVllm(flavour) && flavour !== 'sglang') return undefined;
  const { promptTokens } = answer;
  return {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + written,
    completion_tokens: written,
  };
}

export function usageOf(flavour: EngineFlavour, answer: Answer): Json {
  const base = {
    prompt_tokens: answer.promptTokens,
    total_tokens: answer.promptTokens + answer.completionTokens,
    completion_tokens: answer.completionTokens,
  };
  const cached = { cached_tokens: answer.cachedTokens };
  const reasoning = { reasoning_tokens: answer.reasoningTokens };
  switch (flavour) {
    case 'sglang':
      return { ...base, ...reasoning, prompt_tokens_details: answer.cachedTokens > 0 ? cached : null };
    case 'llama-server':
      return { ...base, prompt_tokens_details: cached };
    case 'vllm':
      return {
        ...base,
        prompt_tokens_details: answer.cachedTokens > 0 ? { ...cached, multimodal_tokens: null } : null,
        completion_tokens_details: reasoning,
      };
    case 'vllm-0.10':
      return { ...base, prompt_tokens_details: answer.cachedTokens > 0 ? cached : null };
    default:
      return { ...base, prompt_tokens_details: cached, completion_tokens_details: reasoning };
  }
}

export function chatAnswer(stamp: Stamp, answer: Answer): Json {
  const { flavour } = stamp;
  const calls = answer.toolCalls.map((call) => ({
    ...(flavour === 'sglang' ? { index: call.index } : {}),
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.argumentPieces.join('') },
  }));
  const text = answer.contentPieces.join('');
  const isNull = text === '' && flavour !== 'sglang' && flavour !== 'llama-server';
  const message: Json = { role: 'assistant', content: isNull ? null : text };
  if (isVllm(flavour))
    Object.assign(message, { refusal: null, annotations: null, audio: null, function_call: null });
  const reasoning = answer.reasoningPieces.join('');
  if (reasoning !== '') message[reasoningField(flavour)] = reasoning;
  else if (flavour !== 'openai' && flavour !== 'llama-server') message[reasoningField(flavour)] = null;
  if (calls.length > 0) message['tool_calls'] = calls;
  else if (flavour === 'sglang') message['tool_calls'] = null;
  else if (flavour === 'vllm-0.10') message['tool_calls'] = [];
  return {
    id: stamp.id,
    object: 'chat.completion',
    created: stamp.created,
    model: stamp.model,
    choices: [{ index: 0, message, ...choiceTail(flavour, answer.finishReason) }],
    ...(isVllm(flavour) ? { service_tier: null, system_fingerprint: null } : {}),
    ...(flavour === 'sglang' ? { metadata: { weight_version: 'default' } } : {}),
    ...(flavour === 'llama-server' ? { timings: { prompt_n: answer.promptTokens, predicted_n: 1 } } : {}),
    usage: usageOf(flavour, answer),
    ...(isVllm(flavour) ? { prompt_logprobs: null, kv_transfer_params: null } : {}),
  };
}

export function textChunk(stamp: Stamp, text: string, finishReason: string | null): Json {
  return {
    id: stamp.id,
    object: 'text_completion',
    created: chunkCreated(stamp),
    model: stamp.model,
    choices: [{ index: 0, text, ...choiceTail(stamp.flavour, finishReason) }],
  };
}

/** llama-server ends a text with an empty chunk that tells the usage, asked or not; the others end with the text. */
export function textEnd(stamp: Stamp, answer: Answer): Json | undefined {
  if (stamp.flavour !== 'llama-server') return undefined;
  return { ...textChunk(stamp, '', answer.finishReason), usage: usageOf(stamp.flavour, answer) };
}

export function textAnswer(stamp: Stamp, answer: Answer): Json {
  return {
    ...textChunk(stamp, answer.contentPieces.join(''), answer.finishReason),
    usage: usageOf(stamp.flavour, answer),
  };
}

export function modelEntry(flavour: EngineFlavour, id: string, maxModelLen: number): Json {
  const created = Math.floor(Date.now() / 1000);
  const base = { id, object: 'model', created };
  switch (flavour) {
    case 'vllm':
    case 'vllm-0.10':
      return {
        ...base,
        owned_by: 'vllm',
        root: `/srv/weights/${id}`,
        parent: null,
        max_model_len: maxModelLen,
        permission: [{ id: 'modelperm-sim', object: 'model_permission', created, allow_sampling: true }],
      };
    case 'sglang':
      return {
        ...base,
        owned_by: 'sglang',
        root: `/srv/weights/${id}`,
        parent: null,
        max_model_len: maxModelLen,
      };
    case 'llama-server':
      return {
        ...base,
        owned_by: 'llamacpp',
        meta: { n_ctx: maxModelLen, n_ctx_train: 2 * maxModelLen, n_vocab: 32_000 },
      };
    default:
      return { ...base, owned_by: 'organisation' };
  }
}

export function idPrefix(flavour: EngineFlavour, endpoint: 'chat' | 'text'): string {
  if (flavour === 'sglang') return '';
  if (flavour === 'llama-server') return 'chatcmpl-';
  return endpoint === 'chat' ? 'chatcmpl-' : 'cmpl-';
}

/** The error an engine sends with a status of its own making. */
export function errorBody(
  flavour: EngineFlavour,
  status: number,
  message: string,
  param: string | null = null,
): Json {
  const type = status === 400 ? 'BadRequestError' : status === 404 ? 'NotFoundError' : 'InternalServerError';
  switch (flavour) {
    case 'sglang':
    case 'vllm-0.10':
      return { object: 'error', message, type, param, code: status };
    case 'vllm':
      return { error: { message, type, param, code: status } };
    case 'llama-server':
      return {
        error: { code: status, message, type: status < 500 ? 'invalid_request_error' : 'server_error' },
      };
    default:
      return {
        error: {
          message,
          type: status < 500 ? 'invalid_request_error' : 'server_error',
          param,
          code: status === 404 ? 'model_not_found' : null,
        },
      };
  }
}

export function shapedError(
  shape: ErrorShape,
  status: number,
  message: string,
): { type: string; body: string } {
  const json = (value: Json) => ({ type: 'application/json', body: JSON.stringify(value) });
  const fields = { message, type: 'BadRequestError', param: null, code: status };
  switch (shape) {
    case 'flat':
      return json({ object: 'error', ...fields });
    case 'nested':
      return json({ error: fields });
    case 'string':
      return json({ error: message });
    case 'detail':
      return json({ detail: message });
    case 'html':
      return { type: 'text/html', body: `<html><body><h1>${status}</h1>${message}</body></html>` };
    default:
      return { type: 'text/plain', body: '' };
  }
}

/** An error after the stream has begun; SGLang nests here although its plain errors are flat. */
export function errorEvent(flavour: EngineFlavour, message: string): Json {
  const fields = { message, type: 'InternalServerError', param: null, code: 500 };
  if (flavour === 'sglang') return { error: { object: 'error', ...fields } };
  if (flavour === 'llama-server') return { error: { code: 500, message, type: 'server_error' } };
  return { error: fields };
}

function choiceTail(flavour: EngineFlavour, finishReason: string | null): Json {
  switch (flavour) {
    case 'vllm':
    case 'vllm-0.10':
      return {
        logprobs: null,
        finish_reason: finishReason,
        ...(finishReason === null ? {} : { stop_reason: null }),
        token_ids: null,
      };
    case 'sglang':
      return {
        logprobs: null,
        finish_reason: finishReason,
        matched_stop: finishReason === 'stop' ? 2 : null,
      };
    case 'llama-server':
      return { finish_reason: finishReason };
    default:
      return { logprobs: null, finish_reason: finishReason };
  }
}

/** These two stamp every chunk anew; the others keep the time of the request. A second passes with every chunk. */
function chunkCreated(stamp: Stamp): number {
  if (stamp.flavour !== 'sglang' && stamp.flavour !== 'llama-server') return stamp.created;
  stamp.chunks += 1;
  return stamp.created + stamp.chunks;
}

/** What a JSON field says if it is a string. */
export function stringOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
