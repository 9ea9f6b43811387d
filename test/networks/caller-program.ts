/** A caller who lives on one of the hosts and does what the test tells it through the channel it was started with. */
import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectPlainly } from 'node:net';
import { connect } from 'node:tls';
import OpenAI from 'openai';
import { Agent } from 'undici';
import { framesIn } from '#harness/http-client';
import type { CallerTask, ClientResult, Reply, SentRequest, StreamResult } from './caller.ts';

interface RunningStream {
  readonly response: IncomingMessage;
  readonly ended: Promise<StreamResult>;
  frames(): number;
  /** Resolves when that many more have arrived, or none will. */
  untilFurther(frames: number): Promise<void>;
}

const streams: RunningStream[] = [];

process.on('message', ({ id, task }: { id: number; task: CallerTask }) => {
  perform(task).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, problem: describe(error) }),
  );
});

async function perform(task: CallerTask): Promise<unknown> {
  switch (task.kind) {
    case 'send':
      return await sendAll(task.requests);
    case 'begin-stream':
      return await beginStream(task.request, task.untilFrames);
    case 'follow-stream': {
      const running = streams[task.stream]!;
      const before = running.frames();
      await running.untilFurther(task.furtherFrames);
      return running.frames() - before;
    }
    case 'leave-stream':
      streams[task.stream]?.response.destroy();
      return await streams[task.stream]?.ended;
    case 'await-stream':
      return await streams[task.stream]?.ended;
    case 'use-client':
      return await useClient(task);
    case 'read-certificate':
      return await readCertificate(task.hostname);
    case 'speak-plainly':
      await Promise.all(task.words.map((words) => speakPlainly(task.hostname, words)));
      return undefined;
  }
}

async function sendAll(requests: readonly SentRequest[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const sent of requests) {
    const response = await open(sent);
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    replies.push({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
  }
  return replies;
}

/** Every request on a connection of its own, so that each takes the way that is open now. */
async function open(sent: SentRequest): Promise<IncomingMessage> {
  const url = new URL(sent.url);
  const body = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const outgoing = request({
    host: sent.at ?? url.hostname,
    servername: url.hostname,
    port: url.port === '' ? 443 : url.port,
    path: sent.target ?? `${url.pathname}${url.search}`,
    method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
    agent: false,
    headers: {
      host: url.host,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

async function beginStream(sent: SentRequest, untilFrames: number): Promise<number> {
  const response = await open(sent);
  let text = '';
  let look = () => {};
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    text += part;
    look();
  });
  response.on('error', () => {});
  const frames = () => framesIn(text).length;
  const ended = new Promise((resolve) => response.on('close', resolve)).then((): StreamResult => {
    look();
    const isWhole = response.complete && framesIn(text).at(-1) === '[DONE]';
    return { status: response.statusCode ?? 0, frames: frames(), isWhole };
  });
  const untilFurther = (count: number) => {
    const wanted = frames() + count;
    return new Promise<void>((resolve) => {
      look = () => {
        if (frames() >= wanted || response.closed) resolve();
      };
      look();
    });
  };
  streams.push({ response, ended, frames, untilFurther });
  await untilFurther(untilFrames);
  return streams.length - 1;
}

/** What an ordinary script does with the official library, its certificate checks on. */
async function useClient(task: CallerTask & { kind: 'use-client' }): Promise<ClientResult> {
  // A connection kept from an earlier use would take the way that was open then.
  await using dispatcher = disposableAgent();
  const client = new OpenAI({
    baseURL: task.baseUrl,
    apiKey: task.apiKey,
    maxRetries: 0,
    fetchOptions: { dispatcher },
  });
  const ask = {
    model: task.model,
    messages: [{ role: 'user' as const, content: 'Say hello.' }],
    max_tokens: 8,
  };
  const models = await client.models.list();
  const chat = await client.chat.completions.create(ask);
  const pieces: string[] = [];
  let finishReason: string | null = null;
  for await (const chunk of await client.chat.completions.create({ ...ask, stream: true })) {
    const choice = chunk.choices[0];
    pieces.push(choice?.delta.content ?? '');
    finishReason = choice?.finish_reason ?? finishReason;
  }
  const completion = task.hasCompletions
    ? await client.completions.create({ model: task.model, prompt: 'Once upon a time', max_tokens: 8 })
    : undefined;
  return {
    models: models.data.map(({ id }) => id),
    chat: chat.choices[0]?.message.content ?? '',
    streamed: pieces.join(''),
    finishReason,
    completion: completion?.choices[0]?.text,
  };
}

function disposableAgent(): Agent & AsyncDisposable {
  const agent = new Agent();
  return Object.assign(agent, { [Symbol.asyncDispose]: () => agent.close() });
}

/** The serial number of the certificate that a new connection is shown. */
async function readCertificate(hostname: string): Promise<string> {
  const socket = connect({ host: hostname, port: 443, servername: hostname });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

/** Waits for the other side to close, and never does so itself. */
function speakPlainly(hostname: string, words: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectPlainly({ host: hostname, port: 443, allowHalfOpen: true });
    socket.on('error', () => resolve());
    socket.on('end', () => resolve());
    socket.resume();
    if (words !== '') socket.write(Buffer.from(words, 'latin1'));
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
}
