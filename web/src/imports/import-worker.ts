import type { ArchivedChat } from '#contract/archive';
import { inBatches } from './batches.ts';
import type { Host, Skipped } from './foreign-chat.ts';
import { isZip, readZip } from './read-zip.ts';
import { understand } from './understand.ts';

export type ToImporter = { readonly file: File; readonly host: Host } | 'next';

export type FromImporter =
  | { readonly kind: 'understood'; readonly count: number; readonly skipped: Readonly<Skipped> }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'batch'; readonly chats: readonly ArchivedChat[] }
  | { readonly kind: 'end' };

/** Reads a file of chats, which may be large and hostile, away from the page; gives it piece by piece. */
let batches: Generator<readonly ArchivedChat[]> | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToImporter>) => {
  if (data === 'next') {
    const next = batches?.next();
    tell(next === undefined || next.done === true ? { kind: 'end' } : { kind: 'batch', chats: next.value });
    return;
  }
  open(data.file, data.host)
    .then(tell)
    .catch(() => tell({ kind: 'unreadable' }));
});

async function open(file: File, host: Host): Promise<FromImporter> {
  const texts = isZip(new Uint8Array(await file.slice(0, 4).arrayBuffer()))
    ? await readZip(file, (name) => /(?:^|\/)conversations(?:-\d+)?\.json$/.test(name))
    : [await file.text()];
  const parts = texts.map((text) => understand(JSON.parse(text), host)).filter((part) => part !== undefined);
  if (parts.length === 0) return { kind: 'unreadable' };
  // The oldest first: what came in last is what a search finds first.
  const chats = parts.flatMap((part) => part.chats).toSorted((one, other) => one.updatedAt - other.updatedAt);
  batches = inBatches(chats);
  const sum = (of: keyof Skipped) => parts.reduce((total, { skipped }) => total + skipped[of], 0);
  const skipped = { chats: sum('chats'), messages: sum('messages'), files: sum('files') };
  return { kind: 'understood', count: chats.length, skipped };
}

function tell(message: FromImporter): void {
  self.postMessage(message, { transfer: [] });
}
