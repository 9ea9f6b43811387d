import { randomId } from '../client/random-id.ts';

/** Unsent words in this browser: at most `maxDrafts`, the oldest go first; all of them go at sign-out. */
export function draftName(personId: string, chatId: string | null): string {
  return `${prefix}${personId}.${chatId ?? 'new'}`;
}

export function readDraft(name: string): string {
  return read(ownPlace(name) ?? name);
}

export function writeDraft(name: string, text: string): void {
  if (!isOfNewChat.test(name)) {
    write(name, text);
    return;
  }
  // What another window wrote since then is not ours to take away.
  if (text !== '' || readDraft(name) === read(name)) write(name, text);
  const own = ownPlace(name) ?? `${name}.${randomId()}`;
  sessionStorage.setItem(name, own);
  write(own, text);
}

/** A chat that begins takes along what was typed while it was being made. */
export function moveDraft(from: string, to: string): void {
  const text = readDraft(from);
  if (text === '') return;
  writeDraft(to, text);
  writeDraft(from, '');
}

export function forgetDrafts(): void {
  for (const name of draftNames()) localStorage.removeItem(name);
}

/**
 * Several windows may each be about to begin a chat. Each has its own draft once it writes, and begins with the one
 * that was written last. All are in the local store, so that they go at sign-out; the session only knows the place.
 */
const isOfNewChat = /\.new(\.files|\.settings)?$/;

function ownPlace(name: string): string | null {
  return isOfNewChat.test(name) ? sessionStorage.getItem(name) : null;
}

function read(place: string): string {
  return localStorage.getItem(place)?.slice(timeLength) ?? '';
}

function write(place: string, text: string): void {
  if (text === '') {
    localStorage.removeItem(place);
    return;
  }
  try {
    localStorage.setItem(place, Date.now().toString().padStart(timeLength, '0') + text);
    forgetOldest();
  } catch {
    // A full store loses a draft, never the message being written.
  }
}

const prefix = 'gatehouse.draft.';
const timeLength = 15;
const maxDrafts = 40;

function forgetOldest(): void {
  const names = draftNames();
  if (names.length <= maxDrafts) return;
  const age = (name: string) => localStorage.getItem(name)?.slice(0, timeLength) ?? '';
  for (const name of names
    .toSorted((a, b) => age(a).localeCompare(age(b)))
    .slice(0, names.length - maxDrafts)) {
    localStorage.removeItem(name);
  }
}

export function draftNames(): string[] {
  return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
}
