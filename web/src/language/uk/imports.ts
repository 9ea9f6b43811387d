import type { enImports } from '../en/imports.ts';
import { counted } from './counted.ts';

/** Chats from elsewhere. */
export const ukImports: typeof enImports = {
  lead: 'Файл, експортований раніше звідси, з ChatGPT, Claude або Open WebUI. Імпортовані чати додаються; нічого не перезаписується. Файл читається у вашому браузері.',
  unreadable:
    'Це не файл із чатами. Виберіть експорт цього сервісу, ChatGPT чи Claude (архів zip або conversations.json з нього) чи Open WebUI.',
  untitled: 'Імпортований чат',
  reading: 'Файл читається',
  progress: (imported, count) => `Імпортовано чатів: ${imported} з ${count}`,
  stoppedAt: (imported, count) =>
    `Імпортовано чатів: ${imported} з ${count}, решту ні. Повторний імпорт файлу додав би ці чати вдруге.`,
  howTo: 'Де взяти такий файл',
  chatGpt: 'ChatGPT: Settings, Data controls, Export data. Архів zip із листа можна вибрати як є.',
  claude: 'Claude: Settings, Privacy, Export data. Архів zip із листа можна вибрати як є.',
  openWebUi: 'Open WebUI: Settings, Data controls, Export chats.',
  leftOut: {
    title: 'Пропущено:',
    chats: (count) =>
      counted(count, {
        one: '# порожній або нечитабельний чат',
        few: '# порожні або нечитабельні чати',
        many: '# порожніх або нечитабельних чатів',
        other: '# порожнього або нечитабельного чату',
      }),
    messages: (count) =>
      counted(count, {
        one: '# повідомлення',
        few: '# повідомлення',
        many: '# повідомлень',
        other: '# повідомлення',
      }),
    files: (count) =>
      counted(count, {
        one: '# зображення або файл, на місці якого стоїть його назва',
        few: '# зображення або файли, на місці яких стоять їхні назви',
        many: '# зображень або файлів, на місці яких стоять їхні назви',
        other: '# зображення або файлу, на місці яких стоять їхні назви',
      }),
  },
};
