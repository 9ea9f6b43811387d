import { isVllm } from './simulated-flavours.ts';
import type { EngineFlavour, Json } from './simulated-flavours.ts';
import { promptText } from './simulated-answer.ts';

export interface Complaint {
  readonly status: number;
  readonly message: string;
  readonly param: string | null;
}

export interface ServedModel {
  readonly id: string;
  readonly maxModelLen: number;
  readonly hasToolParser: boolean;
}

/** What this engine would answer 4xx to, so that a gateway which forwards it is caught. */
export function complaintAbout(
  flavour: EngineFlavour,
  endpoint: 'chat' | 'text',
  request: Json,
  models: readonly ServedModel[],
): Complaint | undefined {
  const model = models.find((served) => served.id === request['model']);
  if (model === undefined && (isVllm(flavour) || flavour === 'openai')) {
    return {
      status: 404,
      message: `The model \`${String(request['model'])}\` does not exist.`,
      param: 'model',
    };
  }
  const complaint = isVllm(flavour)
    ? vllmComplaint(flavour, endpoint, request, model)
    : flavour === 'sglang'
      ? sglangComplaint(endpoint, request)
      : flavour === 'openai'
        ? openaiComplaint(request)
        : continuationComplaint(request);
  return complaint ?? contextComplaint(flavour, request, model ?? models[0]);
}

function vllmComplaint(
  flavour: EngineFlavour,
  endpoint: 'chat' | 'text',
  request: Json,
  model: ServedModel | undefined,
): Complaint | undefined {
  const continuation = continuationComplaint(request);
  if (continuation !== undefined) return continuation;
  const { tools, temperature, top_p: topP, suffix } = request;
  if (flavour === 'vllm' && Array.isArray(tools) && tools.length === 0) {
    return bad('tools must not be an empty array', 'tools');
  }
  if (
    request['stream_options'] !== undefined &&
    request['stream_options'] !== null &&
    request['stream'] !== true
  ) {
    return bad('Stream options can only be defined when `stream=True`.', 'stream_options');
  }
  if (typeof temperature === 'number' && (temperature < 0 || (flavour === 'vllm' && temperature > 2))) {
    return bad(`temperature must be in [0, 2], got ${temperature}.`, 'temperature');
  }
  if (typeof topP === 'number' && (topP <= 0 || topP > 1))
    return bad(`top_p must be in (0, 1], got ${topP}.`, 'top_p');
  if (endpoint === 'text' && suffix !== undefined && suffix !== null) {
    return bad('suffix is not currently supported', 'suffix');
  }
  if (temperature === 0 && typeof request['n'] === 'number' && request['n'] > 1) {
    return bad('n must be 1 when using greedy sampling', 'n');
  }
  if (Array.isArray(tools) && tools.length > 0 && model?.hasToolParser === false) {
    return bad(
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      null,
    );
  }
  return undefined;
}

/** Both vLLM and llama-server begin a new message unless they are told not to. */
function continuationComplaint(request: Json): Complaint | undefined {
  return request['continue_final_message'] === true && request['add_generation_prompt'] !== false
    ? bad('Cannot set both add_generation_prompt and continue_final_message to true.', null)
    : undefined;
}

function sglangComplaint(endpoint: 'chat' | 'text', request: Json): Complaint | undefined {
  const never = ['n', 'stream', 'frequency_penalty', 'presence_penalty'];
  const fields =
    endpoint === 'chat' ? [...never, 'logprobs'] : [...never, 'temperature', 'top_p', 'max_tokens'];
  const nulled = fields.find((field) => request[field] === null);
  if (nulled !== undefined) return bad(`Input should be a valid value: ${nulled}`, null);
  if (Array.isArray(request['messages']) && request['messages'].length === 0) {
    return bad('Messages cannot be empty.', null);
  }
  return undefined;
}

function openaiComplaint(request: Json): Complaint | undefined {
  const foreign = ['rid', 'request_id', 'separate_reasoning'].find((field) => field in request);
  return foreign === undefined
    ? undefined
    : bad(`Unrecognized request argument supplied: ${foreign}`, foreign);
}

function contextComplaint(
  flavour: EngineFlavour,
  request: Json,
  model: ServedModel | undefined,
): Complaint | undefined {
  if (model === undefined) return undefined;
  const input = promptText(request).split(/\s+/).length;
  const limit = model.maxModelLen;
  if (input <= limit) return undefined;
  const message = isVllm(flavour)
    ? `This model's maximum context length is ${limit} tokens. However, you requested 16 output tokens and your prompt contains ${input} input tokens.`
    : flavour === 'llama-server'
      ? `request (${input} tokens) exceeds the available context size (${limit} tokens), try increasing it`
      : `The input (${input} tokens) is longer than the model's context length (${limit} tokens).`;
  return bad(message, isVllm(flavour) ? 'input_tokens' : null);
}

function bad(message: string, param: string | null): Complaint {
  return { status: 400, message, param };
}
