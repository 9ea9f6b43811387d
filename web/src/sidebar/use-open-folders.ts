import { useSyncExternalStore } from 'react';

/** Which folders are open; this browser remembers it. */
export function useOpenFolders(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => open);
}

export function toggleFolder(folderId: string): void {
  const others = [...open].filter((id) => id !== folderId);
  remember(open.has(folderId) ? others : [...others, folderId]);
}

export function openFolder(folderId: string): void {
  if (!open.has(folderId)) toggleFolder(folderId);
}

const setting = 'gatehouse.open-folders';
const maxRemembered = 200;
let open: ReadonlySet<string> = new Set((localStorage.getItem(setting) ?? '').split(' ').filter(Boolean));
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function remember(folderIds: readonly string[]): void {
  open = new Set(folderIds.slice(-maxRemembered));
  localStorage.setItem(setting, [...open].join(' '));
  for (const listener of listeners) listener();
}
