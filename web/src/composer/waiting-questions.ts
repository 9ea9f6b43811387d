import type { AttachedDocument } from '#contract/documents';
import type { Message } from '#contract/messages';
import { randomId } from '../client/random-id.ts';
import { createDraftList } from './draft-list.ts';
import { draftName, draftNames } from './drafts.ts';

export interface QueuedQuestion {
  /** The key of its request, too: however often it is sent, it is asked once. */
  readonly id: string;
  readonly content: string;
  readonly attached: readonly AttachedDocument[];
  /** The service would not take it: it waits for a click. */
  readonly isHeld: boolean;
}

export const waitingQuestions = createDraftList<QueuedQuestion>({
  placeOf: (draft) => (draft === 'temporary' ? undefined : draft + ending()),
});
export const moveQueue = waitingQuestions.move;

/** The chats in which something waits, opened or not. */
export function chatsWithQuestions(personId: string): string[] {
  const [beginning, end] = [draftName(personId, ''), ending()];
  return draftNames()
    .filter((name) => name.startsWith(beginning) && name.endsWith(end))
    .map((name) => name.slice(beginning.length, -end.length))
    .filter((chatId) => chatId !== 'new');
}

/** A window that was made as a copy of this one has the same questions: what is taken back there does not go here. */
export function noteChangedElsewhere(place: string | null): void {
  if (place?.endsWith(ending()) === true) waitingQuestions.forget(place.slice(0, -ending().length));
}

/** Whether the next question may follow: not after an answer that was stopped, that failed or that waits itself. */
export function isAnswered(path: readonly Message[]): boolean {
  const last = path.at(-1);
  return last?.role === 'assistant' && last.state === 'complete' && last.toolCalls.length === 0;
}

/** The drafts whose question is on its way: the page may not show it yet. */
const onTheirWay = new Set<string>();

/** The first that waits, unless it has to wait on. */
export function nextQuestion(draft: string): QueuedQuestion | undefined {
  const [next] = waitingQuestions.of(draft);
  return onTheirWay.has(draft) || next?.isHeld === true ? undefined : next;
}

/** `send` resolves to whether the service took it. */
export async function sendQuestion(
  draft: string,
  question: QueuedQuestion,
  send: () => Promise<boolean>,
): Promise<void> {
  onTheirWay.add(draft);
  // Whoever sends one by a click wants those behind it too.
  waitingQuestions.change(draft, (now) =>
    now.filter(({ id }) => id !== question.id).map((next) => ({ ...next, isHeld: false })),
  );
  const isTaken = await send();
  onTheirWay.delete(draft);
  // A new list in any case: whether the next one may go is looked at again.
  waitingQuestions.change(draft, (now) => [...(isTaken ? [] : [{ ...question, isHeld: true }]), ...now]);
}

/** Another window must not send the same questions. */
function ending(): string {
  const name = 'gatehouse.window';
  const known = sessionStorage.getItem(name);
  const window = known ?? randomId();
  if (known === null) sessionStorage.setItem(name, window);
  return `.queue.${window}`;
}
