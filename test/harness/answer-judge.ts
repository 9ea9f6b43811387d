import { framesIn } from './http-client.ts';
import { faultsOfResponseEvents } from './response-events.ts';
import type { HttpExchange } from './http-transcript.ts';
import { faultsOfShape } from './openai-shapes.ts';
import type { ShapeName } from './openai-shapes.ts';
import { faultsOfStream, isSameModel } from './stream-laws.ts';
import type { StreamedChunk } from './stream-laws.ts';

/** Whether an answer, whole or streamed, success or refusal, is one of OpenAI's as far as any client can see. */
export interface Judgement {
  /** `POST /api/chat/completions 200`, for the message of a failing test. */
  readonly what: string;
  readonly faults: readonly string[];
}

export function judgeExchange({ request, response }: HttpExchange): Judgement {
  const [method = '', target = ''] = request.startLine.split(' ');
  const status = Number(response.startLine.split(' ')[1]);
  const type = response.headers.get('content-type') ?? '';
  const body = response.body.toString('utf8');
  const what = `${method} ${target} ${status}`;
  const path = target.split('?')[0]!.replace(/\/+$/, '');
  const faults = response.headers.has('x-request-id') ? [] : ['it has no x-request-id'];
  if (status >= 400) {
    if (response.isComplete) faults.push(...faultsOfJson('error', type, body));
    return { what, faults };
  }
  if (method === 'OPTIONS') return { what, faults };
  const asked = method === 'POST' ? (JSON.parse(request.body.toString('utf8')) as Asked) : {};
  const isChat = path.endsWith('/chat/completions');
  const isText = !isChat && path.endsWith('/completions');
  if (asked.stream === true && (isChat || isText)) {
    if (!type.startsWith('text/event-stream')) faults.push(`a stream came as ${type}`);
    faults.push(...faultsOfEvents(isChat ? 'chatChunk' : 'textChunk', body, asked, response.isComplete));
    return { what, faults };
  }
  if (/\/responses(?:\/|$)/.test(path))
    return { what, faults: [...faults, ...faultsOfResponse(body, response, method)] };
  if (!response.isComplete) return { what, faults };
  if (path.endsWith('/messages')) {
    const { type: kind, model } = JSON.parse(body) as { type?: string; model?: string };
    if (kind !== 'message' || !isSameModel(asked.model, model ?? '')) faults.push(`no message: ${body}`);
    return { what, faults };
  }
  const name = isChat ? 'chat' : isText ? 'text' : shapeOfList(path);
  if (name === undefined) return { what, faults: [...faults, 'no shape is known for this address'] };
  faults.push(...faultsOfJson(name, type, body));
  if (isChat || isText) {
    const { model: answered = '' } = JSON.parse(body) as { model?: string };
    if (!isSameModel(asked.model, answered)) faults.push(`asked ${asked.model}, answered as ${answered}`);
  }
  return { what, faults };
}

function faultsOfResponse(
  body: string,
  { headers, isComplete }: HttpExchange['response'],
  method: string,
): string[] {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return faultsOfResponseEvents(body, isComplete);
  return isComplete && method === 'POST' ? faultsOfJson('response', type, body) : [];
}

interface Asked {
  readonly model?: string;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
}

function shapeOfList(path: string): ShapeName | undefined {
  if (path.endsWith('/models')) return 'modelList';
  return /\/models\/[^/]+$/.test(path) ? 'model' : undefined;
}

function faultsOfJson(name: ShapeName, type: string, body: string): string[] {
  if (!type.startsWith('application/json')) return [`JSON came as ${type}: ${body.slice(0, 200)}`];
  return faultsOfShape(name, JSON.parse(body));
}

function faultsOfEvents(name: ShapeName, body: string, asked: Asked, isComplete: boolean): string[] {
  const data = framesIn(body);
  const events = data.filter((item) => item !== '[DONE]').map((item) => JSON.parse(item) as StreamedChunk);
  const chunks = events.filter((event) => !('error' in event));
  const faults = [
    ...events.filter((event) => 'error' in event).flatMap((event) => faultsOfShape('error', event)),
    ...chunks.flatMap((chunk) => faultsOfShape(name, chunk)),
  ];
  if (isComplete && data.indexOf('[DONE]') !== data.length - 1)
    faults.push('a stream ends with [DONE], once');
  const wasBroken = chunks.length < events.length;
  return faults.length > 0
    ? faults
    : faultsOfStream(chunks, {
        model: asked.model ?? '',
        hasUsage: asked.stream_options?.include_usage === true,
        isWhole: isComplete && !wasBroken,
      });
}
