import type { enDrift } from '../en/drift.ts';

/** Administration, Usage: our sums beside the engines' own counters. */
export const esDrift: typeof enDrift = {
  title: 'Junto a los contadores de los motores',
  lead: 'Los tokens según este servicio y según cada motor. Más: el motor hizo más de lo que pasó por aquí, porque otros también lo usan. Menos: el motor no sabe de trabajo contado aquí. Mientras se escriben respuestas, el motor puede ir algo por delante.',
  show: 'Mostrar',
  everyEngine: 'Todos los motores, últimas 24 horas',
  hoursOf: (engine) => `${engine}, hora a hora`,
  engine: 'Motor',
  hour: 'Hora',
  input: 'Entrada',
  output: 'Salida',
  ours: 'aquí',
  theirs: 'motor',
  difference: 'diferencia',
  notWhole: 'incompleta',
  notWholeNote:
    'Incompleta: este servicio o el motor arrancó en esa hora, y lo de en medio no está en ningún lado. La cuenta empieza con el arranque de este servicio y abarca 48 horas.',
  none: 'no tiene contadores',
  unread: 'aún no se le pudo preguntar',
  noHours: 'Todavía no se ha comparado nada.',
};
