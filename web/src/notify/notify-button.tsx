import { useNotices } from '../app/notices.tsx';
import { useIsAnswering } from '../chat/live-answers-context.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';
import { canNotify, useNotificationWish, wishNotifications } from './notification-wish.ts';

/** A quiet bell while an answer is being written, for people who want to do something else meanwhile. */
export function NotifyButton({ chatId }: { readonly chatId: string }) {
  const words = useWords().notify;
  const notices = useNotices();
  const isAnswering = useIsAnswering(chatId);
  const wish = useNotificationWish();
  if (!canNotify || !isAnswering || wish !== 'off') return null;
  return (
    <IconButton
      icon="bell"
      label={words.ask}
      onClick={() =>
        void wishNotifications('plain').then((isAllowed) =>
          isAllowed ? notices.tell(words.willTell) : notices.complain(words.denied),
        )
      }
    />
  );
}
