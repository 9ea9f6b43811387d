import { useNotices } from '../app/notices.tsx';
import { CheckField } from '../design/field.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import {
  canNotify,
  useNotificationWish,
  wishNotifications,
  type NotificationWish,
} from '../notify/notification-wish.ts';

export function NotificationsSection() {
  const { notifications: words, notify } = usePagesWords();
  const notices = useNotices();
  const wish = useNotificationWish();
  if (!canNotify) return null;
  const choose = (next: NotificationWish) =>
    void wishNotifications(next).then((isAllowed) => isAllowed || notices.complain(notify.denied));
  return (
    <Section title={words.title}>
      <div className="flex flex-col gap-3">
        <CheckField
          label={words.tell}
          hint={words.tellHint}
          checked={wish !== 'off'}
          onChange={(event) => choose(event.target.checked ? 'plain' : 'off')}
        />
        <CheckField
          label={words.withName}
          hint={words.withNameHint}
          checked={wish === 'named'}
          disabled={wish === 'off'}
          onChange={(event) => choose(event.target.checked ? 'named' : 'plain')}
        />
      </div>
    </Section>
  );
}
