import type { ChatSummary } from '#contract/chats';
import type { Folder } from '#contract/folders';
import type { Words } from '../language/en/first.ts';
import { ageOf } from './chat-ages.ts';
import type { OpenableFolder } from './use-chats.ts';

/** One line of the sidebar's list. `folderId`: where a chat goes that is dropped on it. */
export type ListRow = { readonly folderId?: string | undefined } & (
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'folders' }
  | { readonly kind: 'folder'; readonly folder: Folder }
  | { readonly kind: 'more'; readonly count: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'chat'; readonly chat: ChatSummary; readonly place: 'pins' | 'folder' | 'ages' }
);

interface Listed {
  readonly pinned: readonly ChatSummary[];
  readonly folders: readonly OpenableFolder[];
  readonly others: readonly ChatSummary[];
}

/** Of many folders a few, and those that are open: the chats below them stay in sight. */
export function toRows({ pinned, folders, others }: Listed, words: Words, areAllShown: boolean): ListRow[] {
  const rows: ListRow[] = [];
  if (pinned.length > 0) rows.push({ kind: 'heading', text: words.sidebar.pinned });
  for (const chat of pinned) rows.push({ kind: 'chat', chat, place: 'pins' });
  if (folders.length > 0) rows.push({ kind: 'folders' });
  const isCut = !areAllShown && folders.length > fewFolders + 2;
  const shown = isCut ? folders.filter(({ isOpen }, index) => isOpen || index < fewFolders) : folders;
  for (const { chats, isOpen: _isOpen, ...folder } of shown) {
    const folderId = folder.id;
    rows.push({ kind: 'folder', folder, folderId });
    if (chats?.length === 0) rows.push({ kind: 'empty', folderId });
    for (const chat of chats ?? []) rows.push({ kind: 'chat', chat, place: 'folder', folderId });
  }
  if (shown.length < folders.length) rows.push({ kind: 'more', count: folders.length - shown.length });
  const now = new Date();
  let lastAge: string | undefined;
  for (const chat of others) {
    const age = words.sidebar.ages[ageOf(chat.updatedAt, now)];
    if (age !== lastAge) rows.push({ kind: 'heading', text: age });
    lastAge = age;
    rows.push({ kind: 'chat', chat, place: 'ages' });
  }
  return rows;
}

const fewFolders = 6;

export function heightOf(row: ListRow | undefined): number {
  return row?.kind === 'heading' || row?.kind === 'folders' ? 40 : 36;
}

/** A pinned chat may be in a folder too. */
export function keyOf(row: ListRow | undefined, index: number): string | number {
  switch (row?.kind) {
    case undefined:
      return index;
    case 'heading':
      return `heading ${row.text}`;
    case 'folders':
    case 'more':
      return row.kind;
    case 'folder':
      return row.folder.id;
    case 'empty':
      return `empty ${row.folderId}`;
    case 'chat':
      return row.place === 'pins' ? `pinned ${row.chat.id}` : row.chat.id;
  }
}
