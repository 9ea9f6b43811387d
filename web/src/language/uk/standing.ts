import type { enStanding } from '../en/standing.ts';

/** What people may still use: the usage page, the line above the composer, and keys. */
export const ukStanding: typeof enStanding = {
  title: 'Ваші ліміти',
  lead: 'Скільки залишилося, коли поновиться і хто може збільшити. Бюджети рахуються в одиницях: це токени, зважені за вартістю; написані важать більше за прочитані, великі моделі більше за малі.',
  none: 'Тут вас ніщо не обмежує.',
  noneOf: 'У цьому проєкті вас ніщо не обмежує.',
  account: 'Ваш обліковий запис',
  accountLead: 'Усе, що ви робите, в усіх проєктах разом.',
  keys: 'Ваші ключі',
  everyone: 'Усі',
  everyoneLead: 'Вебчат і ключі, що не належать іншому проєкту.',
  youLead: 'ви керівник',
  ends: 'завершується',
  manage: 'Керувати',
  limits: {
    requestsPerMinute: 'Запитів за хвилину',
    tokensPerMinute: 'Токенів за хвилину',
    requestsAtOnce: 'Запитів одночасно',
    costPerDay: 'Бюджет на день',
    costPerMonth: 'Бюджет на місяць',
    costInTotal: 'Загальний бюджет',
  },
  ofAll: 'усього проєкту',
  ofYou: 'для вас',
  ofKey: (name) => `ключа «${name}»`,
  forModel: (model) => `для ${model}`,
  units: (amount) => `${amount} одиниць`,
  left: (left, amount) => `залишилося ${left} з ${amount}`,
  renews: 'поновиться',
  renewsNever: 'не поновлюється',
  raisedBy: (leads) =>
    leads.length === 0
      ? 'Збільшити може адміністратор'
      : `Збільшити може ${leads.join(', ')} або адміністратор`,
  warning: {
    nearly: (percent, limit) => `Ваш ${limit} використано на ${percent} %.`,
    over: (limit) => `Ваш ${limit} вичерпано.`,
    nearlyOfProject: (percent, limit, project) => `Проєкт ${project}: ${limit} використано на ${percent} %.`,
    overOfProject: (limit, project) => `Проєкт ${project}: ${limit} вичерпано.`,
    budgets: {
      costPerDay: 'бюджет на сьогодні',
      costPerMonth: 'бюджет на цей місяць',
      costInTotal: 'бюджет',
    },
    see: 'Переглянути ліміти',
    dismiss: 'Більше не показувати',
  },
  storage: {
    title: 'Сховище',
    lead: 'Скільки місця тут займають ваші чати й документи. Видалене враховується, доки не зникне остаточно, за добу.',
    used: (used, limit) => `Зайнято ${used} з ${limit}`,
    full: 'Усе місце зайнято: нічого нового не збережеться, доки ви не видалите чати або документи.',
    nearlyFull: 'Місце майже вичерпано. Видаліть те, що вам більше не потрібно.',
  },
};
