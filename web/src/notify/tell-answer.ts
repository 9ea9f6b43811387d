import type { QueryClient } from '@tanstack/react-query';
import type { ChatWithMessages } from '#contract/chats';
import type { PersonEvent } from '#contract/generations';
import type { SignedInSession } from '../app/session.tsx';
import { queryKeys } from '../client/query-keys.ts';
import type { Words } from '../language/en/first.ts';
import { iconOf } from './icon-of.ts';
import { forgetNotifications, notificationWish } from './notification-wish.ts';

/** Tells of an answer that is done while nobody looks at the page. Never a word of the answer itself. */
export async function tellAnswer(
  { generation, state }: Extract<PersonEvent, { type: 'generationEnded' }>,
  queries: QueryClient,
  words: Words['notify'],
): Promise<void> {
  const wish = notificationWish();
  if (wish === 'off' || document.visibilityState !== 'hidden' || generation.chatId === null) return;
  if (state !== 'complete' && state !== 'failed') return;
  const title = state === 'complete' ? words.done : words.failed;
  const chat = queries.getQueryData<ChatWithMessages>(queryKeys.chat(generation.chatId))?.chat;
  const logoUrl = queries.getQueryData<SignedInSession>(queryKeys.session)?.service.logoUrl ?? null;
  const path = `/chat/${generation.chatId}`;
  const options: NotificationOptions = {
    // Several windows of one browser tell of one answer once.
    tag: generation.id,
    icon: await iconOf(logoUrl),
    data: { path },
    ...(wish === 'named' && chat !== undefined && { body: chat.title }),
  };
  const registration = await navigator.serviceWorker.ready;
  await registration.showNotification(title, options).catch(forgetNotifications);
}
