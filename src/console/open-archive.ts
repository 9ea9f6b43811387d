import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ArchivedChat, ChatArchive } from '#vocabulary/conversations';
import { Refusal } from '#vocabulary/refusal';
import type { FromArchiveThread } from './archive-thread.ts';

/** What one archive may take while it is understood; more ends the thread and not the service. */
const maxHeapMegabytes = 512;

/** An archive that was understood in a thread of its own, which ends when it is disposed of. Refuses nonsense. */
export async function openArchive(bytes: Buffer): Promise<ChatArchive & AsyncDisposable> {
  const thread = new Worker(new URL('./archive-thread.ts', import.meta.url), {
    name: 'gatehouse-archive',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  const ask = async (question: Uint8Array | 'next'): Promise<FromArchiveThread> => {
    const answer = once(thread, 'message');
    thread.postMessage(question, question === 'next' ? [] : [question.buffer as ArrayBuffer]);
    const [message] = (await answer) as [FromArchiveThread];
    return message;
  };
  const close = async () => void (await thread.terminate());
  try {
    const answer = await ask(whole(bytes));
    if (answer.kind !== 'understood') throw refusalOf(answer);
    const { count, bytes: size } = answer;
    return { count, bytes: size, chats: readChats(() => ask('next')), [Symbol.asyncDispose]: close };
  } catch (cause) {
    await close();
    throw isOutOfMemory(cause) ? tooLarge() : cause;
  }
}

async function* readChats(next: () => Promise<FromArchiveThread>): AsyncIterable<ArchivedChat> {
  for (let piece = await next(); piece.kind === 'head'; piece = await next()) {
    yield { head: piece.head, messages: readMessages(next) };
  }
}

async function* readMessages(next: () => Promise<FromArchiveThread>) {
  for (let piece = await next(); piece.kind === 'messages'; piece = await next()) yield piece.messages;
}

/** In memory of its own, which can change hands. */
function whole(bytes: Buffer): Uint8Array {
  return bytes.buffer.byteLength === bytes.length ? bytes : Uint8Array.from(bytes);
}

function refusalOf(answer: FromArchiveThread): Error {
  if (answer.kind !== 'refused') return new TypeError(`an archive began with ${answer.kind}`);
  return new Refusal(answer.code, answer.message, { param: answer.param ?? undefined });
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooLarge(): Refusal {
  return new Refusal('request_too_large', 'This file holds too much for one import. Split it into several.');
}
