/** Unsent words in this browser: at most `maxDrafts`, the oldest go first; all of them go at sign-out. */
export function draftName(personId: string, chatId: string | null): string {
  return `${prefix}${personId}.${chatId ?? 'new'}`;
}

export function readDraft(name: string): string {
  return localStorage.getItem(name)?.slice(timeLength) ?? '';
}

export function writeDraft(name: string, text: string): void {
  if (text === '') {
    localStorage.removeItem(name);
    return;
  }
  try {
    localStorage.setItem(name, Date.now().toString().padStart(timeLength, '0') + text);
    forgetOldest();
  } catch {
    // A full store loses a draft, never the message being written.
  }
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

function draftNames(): string[] {
  return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
}
