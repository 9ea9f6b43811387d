import type { ArchivedChat } from '#contract/archive';
import { CallFailed } from '../client/call-failed.ts';
import type { Client } from '../client/client.ts';
import type { Host, Skipped } from './foreign-chat.ts';
import type { FromImporter, ToImporter } from './import-worker.ts';

/** The file is none that chats can be read from. */
export class UnreadableFile extends Error {}

export interface BroughtIn {
  readonly imported: number;
  readonly skipped: Readonly<Skipped>;
}

/**
 * Brings the chats of a file in, a piece at a time. When it fails half way, what is in stays in, and `progress` has
 * said how much that is.
 */
export async function bringIn(
  file: File,
  host: Host,
  client: Client,
  progress: (imported: number, count: number) => void,
): Promise<BroughtIn> {
  using importer = openImporter();
  const opened = await importer.ask({ file, host });
  if (opened.kind !== 'understood') throw new UnreadableFile();
  const skipped = { ...opened.skipped };
  let imported = 0;
  progress(0, opened.count);
  // Even an empty one: the service says whether it is an export at all.
  if (opened.count === 0) await send(client, [], host.now);
  for (;;) {
    const next = await importer.ask('next');
    if (next.kind !== 'batch') return { imported, skipped };
    const kept = await sendOrSplit(next.chats);
    imported += kept;
    skipped.chats += next.chats.length - kept;
    progress(imported, opened.count);
  }

  /** One chat that the service does not take must not keep its neighbours out. */
  async function sendOrSplit(chats: readonly ArchivedChat[]): Promise<number> {
    try {
      return await send(client, chats, host.now);
    } catch (failure) {
      const isAboutContent =
        failure instanceof CallFailed && ['invalid_parameter', 'request_too_large'].includes(failure.code);
      if (!isAboutContent || opened.kind !== 'understood' || opened.count === 1) throw failure;
      if (chats.length === 1) return 0;
      const middle = Math.ceil(chats.length / 2);
      return (await sendOrSplit(chats.slice(0, middle))) + (await sendOrSplit(chats.slice(middle)));
    }
  }
}

async function send(client: Client, chats: readonly ArchivedChat[], now: number): Promise<number> {
  const body = { format: 'gatehouse-chats', version: 1, exportedAt: now, chats } as const;
  return (await client.call('POST /console/chats/import', { body })).chats.length;
}

/** One question at a time. Ends when it is disposed of. */
function openImporter() {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' });
  return {
    ask: (question: ToImporter) =>
      new Promise<FromImporter>((resolve, reject) => {
        const once = { once: true };
        worker.addEventListener('message', ({ data }: MessageEvent<FromImporter>) => resolve(data), once);
        // Out of memory, or not to be fetched.
        worker.addEventListener('error', () => reject(new UnreadableFile()), once);
        worker.postMessage(question, { transfer: [] });
      }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}
