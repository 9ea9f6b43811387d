import type { enActivity } from '../en/activity.ts';
import { counted } from './counted.ts';

const methods: Readonly<Record<string, string>> = {
  password: 'пароль',
  link: 'одноразове посилання',
  invitation: 'запрошення',
};

/** What happened to an account, in words: Settings, Account, Activity, and the notices in the chat. */
export const ukActivity: typeof enActivity = {
  title: 'Події',
  lead: 'Що відбувалося з вашим обліковим записом, коли і звідки. Записи додаються і ніколи не змінюються.',
  none: 'Поки нічого',
  notYou:
    'Якщо щось тут зробили не ви, вийдіть на всіх пристроях у розділі «Пристрої», змініть пароль і повідомте тому, хто веде цей сервіс.',
  by: {
    person: (name) => `ініціатор: ${name ?? 'хтось, кого вже немає'}`,
    stranger: 'ініціатор: хтось, хто не увійшов',
    command: (name) => `у командному рядку, ініціатор: ${name ?? 'оператор'}`,
    provider: (name) => `ініціатор: ${name ?? 'провайдер входу'}`,
    service: 'ініціатор: цей сервіс',
  },
  notice: 'Про ваш обліковий запис',
  more: (count) => `і ще ${count}`,
  show: 'Переглянути події',
  seen: 'Переглянуто',
  happened: (kind, detail, roles) => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `Вхід через ${methods[method] ?? method}`
          : `Вхід за посиланням, яке створює ${String(detail['linkMadeBy'])}`,
      'sign-in-failed': counted(attempts, {
        one: '# невдалий вхід',
        few: '# невдалі входи',
        many: '# невдалих входів',
        other: '# невдалого входу',
      }),
      'sign-out': 'Вихід',
      'password-changed': 'Пароль змінено',
      'sign-in-link-created': 'Створено посилання для входу у ваш обліковий запис',
      'provider-connected': `${provider}: підключено`,
      'provider-disconnected': `${provider}: відключено`,
      'key-created': `Ключ API «${name}» створено`,
      'key-rotated': `Ключ API «${name}» замінено`,
      'key-revoked': `Ключ API «${name}» відкликано`,
      'person-created': 'Обліковий запис створено',
      'person-enabled': 'Обліковий запис увімкнено',
      'person-disabled': 'Обліковий запис вимкнено',
      'person-withdrawn': 'Провайдер входу закрив вам доступ',
      'person-exported':
        detail['part'] === 'chats' ? 'Ваші чати експортовано' : 'Дані про ваш обліковий запис експортовано',
      'person-restored': 'Провайдер входу знову відкрив вам доступ',
      'role-changed': `Нова роль: ${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': 'Запрошення прийнято',
      'project-member-added':
        detail['role'] === 'lead'
          ? `Вас додано до проєкту ${project} як керівника`
          : `Вас додано до проєкту ${project}`,
      'project-member-removed': `Вас вилучено з проєкту ${project}`,
      'space-chat-withdrawn': `Чат, яким ви поділилися в проєкті ${project}, відкликано`,
      'limits-changed': 'Ваші ліміти змінено',
    };
    return sentences[kind] ?? kind;
  },
};
