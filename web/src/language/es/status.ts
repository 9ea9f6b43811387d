import { counted } from './counted.ts';
import type { enStatus } from '../en/status.ts';

/** The status page. */
export const esStatus: typeof enStatus = {
  title: 'Estado',
  lead: 'De respuestas reales y preguntas de prueba diminutas. Una barra es un día (UTC): qué parte de él podía responder el modelo. Abra un modelo para ver más.',
  states: {
    operational: 'En funcionamiento',
    degraded: 'Degradado',
    outage: 'Interrupción',
    unknown: 'Aún no se sabe',
  },
  overall: {
    operational: 'Todo funciona',
    degraded: 'Algo no funciona como debería',
    outage: 'Los modelos no responden',
    unknown: 'Todavía no se ha probado nada',
  },
  asOf: 'A fecha de',
  models: 'Modelos',
  uptime: (share, days) =>
    counted(days, { one: `${share} disponible en un día`, other: `${share} disponible en # días` }),
  noUptime: 'Aún sin observar',
  firstToken: (time) => `primer token en ${time}`,
  uptimeRow: 'Disponibilidad, por día',
  daysAgo: 'Hace 90 días',
  today: 'Hoy',
  day: {
    unwatched: 'sin observar',
    up: (share) => `${share} disponible`,
    failed: (share) => `falló el ${share} de las respuestas`,
    watched: (share) => `observado durante el ${share} del día`,
    firstToken: (time) => `primer token en ${time}`,
  },
  noTrouble: 'Ningún problema en los días observados.',
  incidents: 'Incidentes',
  noIncidents: 'Ninguno en los últimos 90 días.',
  impacts: { maintenance: 'Mantenimiento', degraded: 'Degradado', outage: 'Interrupción' },
  open: 'En curso',
  resolved: 'Terminado',
  concerns: (models) => `Afecta a ${models}`,
  since: 'desde',
  forPrograms: 'Lo mismo para programas:',
  signIn: 'Iniciar sesión',
};
