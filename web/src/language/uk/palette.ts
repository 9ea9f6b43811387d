import type { enPalette } from '../en/palette.ts';
import { counted } from './counted.ts';

/** The one dialog that finds everything. */
export const ukPalette: typeof enPalette = {
  title: 'Знайти або зробити щось',
  placeholder: 'Чат, слово в ньому, модель, сторінка, дія',
  results: 'Результати',
  count: (count) =>
    counted(count, {
      none: 'Нічого не знайдено',
      one: '# результат',
      few: '# результати',
      many: '# результатів',
      other: '# результату',
    }),
  nothing: 'Нічого не знайдено. Пошук шукає цілі слова та їхні початки.',
  searching: 'Пошук у ваших повідомленнях',
  groups: {
    actions: 'Дії',
    recent: 'Останні чати',
    chats: 'Чати',
    spaces: 'Проєкти',
    presets: 'Заготовки',
    models: 'Моделі',
    pages: 'Сторінки',
    messages: 'У повідомленнях',
  },
  newChat: 'Новий чат',
  temporary: 'Тимчасовий чат',
  compare: 'Порівняти моделі',
  newFolder: 'Нова папка',
  useHere: (model) => `Відповідати тут: ${model}`,
  startWith: (model) => `Новий чат: ${model}`,
  light: 'Світла тема',
  dark: 'Темна тема',
  system: 'Тема системи',
  settings: (page) => `Налаштування: ${page}`,
  administration: (page) => `Адміністрування: ${page}`,
  move: 'вибрати',
  open: 'відкрити',
  close: 'закрити',
};
