import type { enPreviews } from '../en/previews.ts';

/** Documents in answers, opened beside the chat. */
export const ukPreviews: typeof enPreviews = {
  open: 'Відкрити поруч із чатом',
  close: 'Закрити перегляд',
  titles: { html: 'Сторінка', svg: 'Малюнок', csv: 'Таблиця', mermaid: 'Діаграма', vega: 'Графік' },
  save: 'Зберегти як файл',
  sealed: 'Ізольовано: не має доступу до мережі, цієї сторінки та вашого облікового запису.',
  loading: 'Малюється',
  failed: 'Не вдалося завантажити те, що це малює. Перевірте з’єднання і відкрийте знову.',
};
