import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { composeAnswer, isBegun, playedAnswer, promptText } from './simulated-answer.ts';
import { sendJson, sendText } from './simulated-state.ts';
import type { EngineState, Generation } from './simulated-state.ts';
import * as wire from './simulated-flavours.ts';
import type { Answer, Json, Stamp } from './simulated-flavours.ts';
import { planFrom } from './simulated-plan.ts';
import type { SimulationPlan } from './simulated-plan.ts';
import { playStream, untilAborted } from './simulated-stream.ts';
import type { Frame } from './simulated-stream.ts';
import { complaintAbout } from './simulated-validation.ts';

export async function answerGeneration(
  state: EngineState,
  endpoint: 'chat' | 'text',
  json: Json,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const prompt = promptText(json);
  const { everyGeneration, everyBeginning } = state.control;
  const plan = planFrom(`${everyGeneration} ${isBegun(json) ? '' : everyBeginning} ${prompt}`);
  if (plan.beforeHeaders === 'reset') return void request.socket.resetAndDestroy();
  if (plan.beforeHeaders === 'close') return void request.socket.destroy();
  if (plan.status !== undefined) return sendFailure(state, plan, response);
  const complaint = complaintAbout(state.flavour, endpoint, json, state.models);
  if (complaint !== undefined) {
    return sendJson(
      response,
      complaint.status,
      wire.errorBody(state.flavour, complaint.status, complaint.message, complaint.param),
    );
  }
  const model = state.models.find((served) => served.id === json['model']) ?? state.models[0]!;
  const composed = composeAnswer(state.flavour, json, plan, model.reasoning);
  const answer = state.play === undefined ? composed : playedAnswer(composed, state.play(json));
  const stamp = stampFor(state, endpoint, json, request, model.id);
  if (state.active().some(({ id }) => id === stamp.id)) {
    const message = `Request id ${stamp.id} is already in hand`;
    return sendJson(response, 400, wire.errorBody(state.flavour, 400, message));
  }
  const isLost = plan.losesFirstLine && state.generations.every((earlier) => earlier.prompt !== prompt);
  const stopping = new AbortController();
  const generation: Generation = {
    id: stamp.id,
    prompt,
    request: json,
    isStream: plan.form === undefined ? json['stream'] === true : plan.form === 'stream',
    state: 'active',
    progress: { framesWritten: 0, bytesWritten: 0 },
    isToldToFinish: false,
    abort: () => stopping.abort(),
  };
  state.generations.push(generation);
  state.events.push({ kind: 'generation-started', generation });
  response.on('close', () => {
    if (response.writableFinished) return;
    state.events.push({ kind: 'socket-closed', generation });
    if (state.flavour !== 'sglang' && !isLost) stopping.abort();
  });
  if (isLost) request.socket.resetAndDestroy();
  state.counted.input += answer.promptTokens;
  state.counted.cached += answer.cachedTokens;
  generation.state = await generate(stamp, endpoint, plan, answer, generation, response, stopping.signal);
  state.counted.output +=
    generation.state === 'completed'
      ? answer.completionTokens
      : Math.min(generation.progress.framesWritten, answer.completionTokens);
}

async function generate(
  stamp: Stamp,
  endpoint: 'chat' | 'text',
  plan: SimulationPlan,
  answer: Answer,
  generation: Generation,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<'completed' | 'aborted' | 'failed'> {
  if (plan.beforeHeaders === 'hang') {
    await untilAborted(signal);
    return 'aborted';
  }
  if (plan.headersDelayMs > 0) await delay(plan.headersDelayMs, undefined, { signal }).catch(() => {});
  if (generation.isStream) {
    if (signal.aborted) return endAborted(stamp, response);
    const frames = framesOf(stamp, endpoint, plan, answer, generation);
    const errorFrame = {
      data: JSON.stringify(wire.errorEvent(stamp.flavour, 'CUDA error at /opt/engine/worker.py:42')),
    };
    const end = await playStream(response, frames, plan, errorFrame, generation.progress, signal);
    return end === 'aborted' ? endAborted(stamp, response) : end;
  }
  // A non-streaming generation takes the time its tokens take.
  const busyMs = plan.everyMs * answer.completionTokens;
  if (busyMs > 0) await delay(busyMs, undefined, { signal }).catch(() => {});
  if (signal.aborted) {
    if (stamp.flavour === 'sglang')
      sendJson(response, 200, wire.chatAnswer(stamp, { ...answer, finishReason: 'abort' }));
    return 'aborted';
  }
  if (plan.answersNonsense) sendText(response, 200, '<html>proxy page</html>', 'text/html');
  else if (plan.dieMidFrameAfter !== undefined) return dieInsideJson(stamp, endpoint, answer, response);
  else
    sendJson(
      response,
      200,
      endpoint === 'chat' ? wire.chatAnswer(stamp, answer) : wire.textAnswer(stamp, answer),
    );
  return 'completed';
}

/** Made one by one: a stream may be longer than anybody will read. */
function* framesOf(
  stamp: Stamp,
  endpoint: 'chat' | 'text',
  plan: SimulationPlan,
  answer: Answer,
  generation: Generation,
): Generator<Frame> {
  const options = generation.request['stream_options'] as Json | undefined | null;
  const countsOn = options?.['continuous_usage_stats'] === true && !plan.omitsUsage;
  let written = 0;
  for (const chunk of endpoint === 'chat'
    ? chatChunks(stamp, answer, generation)
    : textChunks(stamp, answer)) {
    const running = countsOn ? wire.runningUsage(stamp.flavour, answer, written++) : undefined;
    yield { data: JSON.stringify(running === undefined ? chunk : { ...chunk, usage: running }) };
  }
  const hasTold = endpoint === 'text' && stamp.flavour === 'llama-server';
  if (options?.['include_usage'] === true && !plan.omitsUsage && !hasTold) {
    const object = endpoint === 'chat' ? 'chat.completion.chunk' : 'text_completion';
    yield { data: JSON.stringify(wire.usageChunk(stamp, object, answer)), isUsage: true };
  }
  if (!plan.omitsDone) yield { data: '[DONE]' };
}

function* chatChunks(stamp: Stamp, answer: Answer, generation: Generation): Generator<Json> {
  const { flavour } = stamp;
  yield wire.chatChunk(stamp, wire.roleDelta(flavour));
  let last: Json | undefined;
  for (const delta of chatDeltas(stamp, answer)) {
    if (generation.isToldToFinish) break;
    if (last !== undefined) yield wire.chatChunk(stamp, last);
    last = delta;
  }
  if (last !== undefined && wire.finishesOnLastDelta(flavour)) {
    yield wire.chatChunk(stamp, last, answer.finishReason);
    return;
  }
  if (last !== undefined) yield wire.chatChunk(stamp, last);
  yield wire.chatChunk(stamp, wire.finishDelta(flavour), answer.finishReason);
}

function* chatDeltas({ flavour }: Stamp, answer: Answer): Generator<Json> {
  for (const piece of answer.reasoningPieces) yield wire.reasoningDelta(flavour, piece);
  for (const piece of answer.contentPieces) yield wire.contentDelta(flavour, piece);
  for (const call of answer.toolCalls) yield* wire.toolCallDeltas(flavour, call);
}

function* textChunks(stamp: Stamp, answer: Answer): Generator<Json> {
  const end = wire.textEnd(stamp, answer);
  for (const [index, piece] of answer.contentPieces.entries()) {
    const isLast = end === undefined && index === answer.contentPieces.length - 1;
    yield wire.textChunk(stamp, piece, isLast ? answer.finishReason : null);
  }
  if (end !== undefined) yield end;
}

function stampFor(
  state: EngineState,
  endpoint: 'chat' | 'text',
  json: Json,
  request: IncomingMessage,
  servedName: string,
): Stamp {
  const { flavour } = state;
  const unique = randomUUID().replaceAll('-', '');
  const given = wire.isVllm(flavour)
    ? request.headers['x-request-id']
    : flavour === 'sglang'
      ? json['rid']
      : undefined;
  return {
    flavour,
    id: `${wire.idPrefix(flavour, endpoint)}${typeof given === 'string' ? given : unique}`,
    // SGLang never checks the name; it gives back whatever was asked for.
    model: flavour === 'sglang' ? wire.stringOf(json['model'], 'default') : servedName,
    created: Math.floor(Date.now() / 1000),
    chunks: 0,
  };
}

function sendFailure(state: EngineState, plan: SimulationPlan, response: ServerResponse): void {
  const status = plan.status ?? 500;
  if (plan.retryAfterSeconds !== undefined) response.setHeader('retry-after', plan.retryAfterSeconds);
  const message = `Simulated failure ${status} at /opt/engine/worker.py:42`;
  if (plan.errorShape === undefined)
    return sendJson(response, status, wire.errorBody(state.flavour, status, message));
  const shaped = wireShape(plan, status, message);
  sendText(response, status, shaped.body, shaped.type);
}

function wireShape(plan: SimulationPlan, status: number, message: string): { type: string; body: string } {
  return wire.shapedError(plan.errorShape ?? 'nested', status, message);
}

/** SGLang tells the caller of an aborted stream; the others are already gone. */
function endAborted(stamp: Stamp, response: ServerResponse): 'aborted' {
  if (stamp.flavour === 'sglang' && !response.destroyed) {
    if (!response.headersSent)
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(`data: ${JSON.stringify(wire.chatChunk(stamp, wire.finishDelta('sglang'), 'abort'))}\n\n`);
    response.end('data: [DONE]\n\n');
  } else {
    response.socket?.destroy();
  }
  return 'aborted';
}

function dieInsideJson(
  stamp: Stamp,
  endpoint: 'chat' | 'text',
  answer: Answer,
  response: ServerResponse,
): 'failed' {
  const body = Buffer.from(
    JSON.stringify(endpoint === 'chat' ? wire.chatAnswer(stamp, answer) : wire.textAnswer(stamp, answer)),
  );
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.write(body.subarray(0, body.length >> 1), () => response.socket?.destroy());
  return 'failed';
}
