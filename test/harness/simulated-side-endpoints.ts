import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { composeAnswer, promptText } from './simulated-answer.ts';
import { sendJson } from './simulated-state.ts';
import type { EngineState } from './simulated-state.ts';
import { errorBody, isVllm, stringOf } from './simulated-flavours.ts';
import type { Json } from './simulated-flavours.ts';
import { planFrom } from './simulated-plan.ts';
import { playStream } from './simulated-stream.ts';
import type { Frame } from './simulated-stream.ts';
import { simulatedVector } from './simulated-vectors.ts';

/** Everything an engine offers beside the two generation endpoints. */
export async function answerSideEndpoint(
  state: EngineState,
  path: string,
  json: Json,
  _request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const plan = planFrom(promptText(json));
  if (plan.status !== undefined) {
    return sendJson(response, plan.status, errorBody(state.flavour, plan.status, 'Simulated failure'));
  }
  const model = stringOf(json['model'], state.models[0]!.id);
  const words = promptText(json).split(/\s+/);
  switch (path) {
    case '/v1/embeddings':
      if (state.models.every(({ id }) => id !== model)) break;
      return sendJson(response, 200, embeddings(model, json));
    case '/tokenize':
    case '/v1/tokenize':
      if (path === '/v1/tokenize' && state.flavour !== 'sglang') break;
      return sendJson(response, 200, tokenized(state, words));
    case '/apply-template':
      if (state.flavour !== 'llama-server') break;
      return sendJson(response, 200, { prompt: templated(json) });
    case '/detokenize':
    case '/v1/detokenize':
      if (path === '/v1/detokenize' && state.flavour !== 'sglang') break;
      return sendJson(
        response,
        200,
        state.flavour === 'llama-server' ? { content: 'text' } : { prompt: 'text', text: 'text' },
      );
    case '/v1/score':
    case '/score':
      return sendJson(response, 200, {
        id: `score-${randomUUID()}`,
        object: 'list',
        model,
        data: [{ index: 0, object: 'score', score: 0.5 }],
        usage: { prompt_tokens: words.length, total_tokens: words.length },
      });
    case '/v1/rerank':
    case '/rerank':
      return sendJson(response, 200, {
        id: `rerank-${randomUUID()}`,
        model,
        results: [{ index: 0, relevance_score: 0.5 }],
      });
    case '/v1/responses':
      return answerResponses(state, model, json, response);
    case '/v1/messages':
      return answerMessages(state, model, json, response);
    case '/v1/messages/count_tokens':
      return sendJson(response, 200, { input_tokens: words.length });
    default:
      break;
  }
  sendJson(response, 404, { detail: 'Not Found' });
}

function embeddings(model: string, json: Json): Json {
  const input = Array.isArray(json['input']) ? json['input'] : [json['input']];
  const isEncoded = json['encoding_format'] === 'base64';
  return {
    object: 'list',
    model,
    data: input.map((text, index) => {
      const vector = simulatedVector(String(text));
      const encoded = Buffer.from(Float32Array.from(vector).buffer).toString('base64');
      return { object: 'embedding', index, embedding: isEncoded ? encoded : vector };
    }),
    usage: { prompt_tokens: input.length, total_tokens: input.length },
  };
}

function tokenized(state: EngineState, words: readonly string[]): Json {
  const tokens = words.map((_, index) => index + 1);
  if (state.flavour === 'llama-server') return { tokens };
  const count = { count: tokens.length, max_model_len: state.models[0]!.maxModelLen, tokens };
  return isVllm(state.flavour) ? { ...count, token_strs: null } : count;
}

/** Two words around each message, and one where the answer begins. */
function templated(json: Json): string {
  const messages = json['messages'] as readonly { readonly role: string; readonly content: string }[];
  return [...messages.map(({ role, content }) => `<${role}> ${content} <end>`), '<assistant>'].join(' ');
}

async function answerResponses(
  state: EngineState,
  model: string,
  json: Json,
  response: ServerResponse,
): Promise<void> {
  const plan = planFrom(promptText(json));
  const answer = composeAnswer(state.flavour, json, plan, 'none');
  const text = answer.contentPieces.join('');
  const finished: Json = {
    id: `resp_${randomUUID().replaceAll('-', '')}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    model,
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: {
      input_tokens: answer.promptTokens,
      input_tokens_details: { cached_tokens: answer.cachedTokens },
      output_tokens: answer.completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.promptTokens + answer.completionTokens,
    },
  };
  if (json['stream'] !== true) return sendJson(response, 200, finished);
  const event = (type: string, fields: Json, isUsage = false): Frame => ({
    event: type,
    data: JSON.stringify({ type, ...fields }),
    isUsage,
  });
  const frames = [
    event('response.created', { response: { ...finished, status: 'in_progress', output: [], usage: null } }),
    ...answer.contentPieces.map((delta) =>
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, delta }),
    ),
    event('response.completed', { response: finished }, true),
  ];
  await play(response, frames, plan);
}

async function answerMessages(
  state: EngineState,
  model: string,
  json: Json,
  response: ServerResponse,
): Promise<void> {
  const plan = planFrom(promptText(json));
  const answer = composeAnswer(state.flavour, json, plan, 'none');
  const base: Json = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model };
  const usage = { input_tokens: answer.promptTokens, output_tokens: answer.completionTokens };
  if (json['stream'] !== true) {
    const content = [{ type: 'text', text: answer.contentPieces.join('') }];
    return sendJson(response, 200, { ...base, content, stop_reason: 'end_turn', stop_sequence: null, usage });
  }
  const event = (type: string, fields: Json): Frame => ({
    event: type,
    data: JSON.stringify({ type, ...fields }),
  });
  const frames = [
    event('message_start', { message: { ...base, content: [], usage: { ...usage, output_tokens: 0 } } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...answer.contentPieces.map((text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
    event('message_stop', {}),
  ];
  await play(response, frames, plan);
}

async function play(
  response: ServerResponse,
  frames: readonly Frame[],
  plan: ReturnType<typeof planFrom>,
): Promise<void> {
  const stopping = new AbortController();
  response.on('close', () => stopping.abort());
  const progress = { framesWritten: 0, bytesWritten: 0 };
  await playStream(
    response,
    frames,
    plan,
    { event: 'error', data: '{"type":"error"}' },
    progress,
    stopping.signal,
  );
}
