import type { enCompare } from '../en/compare.ts';
import { counted } from './counted.ts';

/** One question to several models. */
export const ukCompare: typeof enCompare = {
  title: 'Порівняння моделей',
  lead: 'Одне запитання, на яке поруч відповідають кілька моделей. Кожна відповідь чекає в черзі й зараховується, як будь-яка інша. Виберіть ту, з якою продовжити.',
  oneModel: 'Тут доступна лише одна модель: порівнювати нічого.',
  models: (fewest, most) => `Моделі (від ${fewest} до ${most})`,
  question: 'Запитання',
  blind: 'Приховати назви, доки я не проголосую',
  ask: (count) =>
    counted(count, {
      one: 'Запитати # модель',
      few: 'Запитати # моделі',
      many: 'Запитати # моделей',
      other: 'Запитати # моделі',
    }),
  answers: 'Відповіді',
  answer: (letter) => `Відповідь ${letter}`,
  blindHint:
    'Назви приховано, порядок випадковий. Проголосуйте за кращу відповідь, щоб побачити, хто її написав.',
  vote: 'Ця краща',
  chosen: 'Ваш вибір',
  reveal: 'Показати назви без голосування',
  stop: 'Зупинити всі',
  goOn: 'Продовжити з цією',
  another: 'Порівняти на іншому запитанні',
  export: 'Експортувати як CSV',
  speed: (tokens, seconds) => `Токенів: ${tokens}, ${seconds} с`,
};
