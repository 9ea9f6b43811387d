import { counted } from './counted.ts';
import type { enStatus } from '../en/status.ts';

/** The status page. */
export const ukStatus: typeof enStatus = {
  title: 'Стан',
  lead: 'За справжніми відповідями та крихітними пробними запитаннями. Стовпчик: один день (UTC) і яку його частину модель могла відповідати. Відкрийте модель, щоб побачити більше.',
  states: {
    operational: 'Працює',
    degraded: 'Працює з перебоями',
    outage: 'Не працює',
    unknown: 'Ще не відомо',
  },
  overall: {
    operational: 'Усе працює',
    degraded: 'Дещо працює не так, як слід',
    outage: 'Моделі не відповідають',
    unknown: 'Ще нічого не перевірено',
  },
  asOf: 'Станом на',
  models: 'Моделі',
  uptime: (share, days) =>
    counted(days, {
      one: `${share} доступності за # день`,
      few: `${share} доступності за # дні`,
      many: `${share} доступності за # днів`,
      other: `${share} доступності за # дня`,
    }),
  noUptime: 'Ще не спостерігалася',
  firstToken: (time) => `перший токен за ${time}`,
  uptimeRow: 'Доступність за днями',
  daysAgo: '90 днів тому',
  today: 'Сьогодні',
  day: {
    unwatched: 'без спостереження',
    up: (share) => `${share} доступності`,
    failed: (share) => `${share} відповідей не вдалися`,
    watched: (share) => `під спостереженням ${share} дня`,
    firstToken: (time) => `перший токен за ${time}`,
  },
  noTrouble: 'У дні спостереження перебоїв не було.',
  incidents: 'Інциденти',
  noIncidents: 'За останні 90 днів не було.',
  impacts: { maintenance: 'Обслуговування', degraded: 'Перебої', outage: 'Збій' },
  open: 'Триває',
  resolved: 'Минув',
  concerns: (models) => `Стосується: ${models}`,
  since: 'від',
  forPrograms: 'Те саме для програм:',
  signIn: 'Увійти',
};
