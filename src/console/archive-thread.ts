import { parentPort, type MessagePort } from 'node:worker_threads';
import type { ArchivedChat, ChatArchive } from '#contract/archive';
import { chatRoutes } from '#contract/chats';
import { Refusal, type RefusalCode } from '#vocabulary/refusal';
import { readJson } from './read-call.ts';

export type FromArchiveThread =
  | { readonly kind: 'understood'; readonly count: number; readonly bytes: number }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly message: string;
      readonly param: string | null;
    }
  | { readonly kind: 'head'; readonly head: Omit<ArchivedChat, 'messages'> }
  | { readonly kind: 'messages'; readonly messages: ArchivedChat['messages'] }
  /** The chat is complete. */
  | { readonly kind: 'end' }
  /** There is no further chat. */
  | { readonly kind: 'done' };

const sliceBytes = 1024 * 1024;
const sliceMessages = 200;

/** Understands an archive, which may be large, away from the event loop of the server; gives it piece by piece. */
function runArchiveThread(port: MessagePort): void {
  let pieces: Iterator<FromArchiveThread> | undefined;
  port.on('message', (message: Uint8Array | 'next') => {
    if (message !== 'next') {
      const { answer, archive } = understand(message);
      pieces = archive === undefined ? undefined : cut(archive);
      port.postMessage(answer);
      return;
    }
    const piece = pieces?.next();
    port.postMessage(piece === undefined || piece.done === true ? { kind: 'done' } : piece.value);
  });
}

function understand(bytes: Uint8Array): { answer: FromArchiveThread; archive?: ChatArchive } {
  try {
    const archive = readJson(
      chatRoutes['POST /console/chats/import'],
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    ) as ChatArchive;
    const total = archive.chats
      .flatMap(({ messages }) => messages)
      .reduce((sum, each) => sum + bytesOf(each), 0);
    return { answer: { kind: 'understood', count: archive.chats.length, bytes: total }, archive };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { code, message, param } = thrown;
    return { answer: { kind: 'refused', code, message, param } };
  }
}

function* cut({ chats }: ChatArchive): Generator<FromArchiveThread> {
  for (const { messages, ...head } of chats) {
    yield { kind: 'head', head };
    let slice: ArchivedChat['messages'][number][] = [];
    let bytes = 0;
    for (const message of messages) {
      slice.push(message);
      bytes += bytesOf(message);
      if (bytes < sliceBytes && slice.length < sliceMessages) continue;
      yield { kind: 'messages', messages: slice };
      slice = [];
      bytes = 0;
    }
    yield { kind: 'messages', messages: slice };
    yield { kind: 'end' };
  }
}

function bytesOf({ content, reasoning }: ArchivedChat['messages'][number]): number {
  return Buffer.byteLength(content) + Buffer.byteLength(reasoning);
}

if (parentPort !== null) runArchiveThread(parentPort);
