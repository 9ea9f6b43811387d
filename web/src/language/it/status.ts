import { counted } from './counted.ts';
import type { enStatus } from '../en/status.ts';

/** The status page. */
export const itStatus: typeof enStatus = {
  title: 'Stato',
  lead: 'Da risposte reali e piccole domande di prova. Una barra è un giorno (UTC): per quanta parte il modello poteva rispondere. Apra un modello per vedere di più.',
  states: {
    operational: 'Operativo',
    degraded: 'Degradato',
    outage: 'Interruzione',
    unknown: 'Non ancora noto',
  },
  overall: {
    operational: 'Tutto funziona',
    degraded: 'Qualcosa non funziona come dovrebbe',
    outage: 'I modelli non rispondono',
    unknown: 'Non è stato ancora provato nulla',
  },
  asOf: 'Aggiornato',
  models: 'Modelli',
  uptime: (share, days) =>
    counted(days, { one: `disponibile: ${share} in un giorno`, other: `disponibile: ${share} in # giorni` }),
  noUptime: 'Non ancora osservato',
  firstToken: (time) => `primo token in ${time}`,
  uptimeRow: 'Disponibilità, per giorno',
  daysAgo: '90 giorni fa',
  today: 'Oggi',
  day: {
    unwatched: 'non osservato',
    up: (share) => `disponibile: ${share}`,
    failed: (share) => `risposte non riuscite: ${share}`,
    watched: (share) => `osservato per ${share} del giorno`,
    firstToken: (time) => `primo token in ${time}`,
  },
  noTrouble: 'Nessun problema nei giorni osservati.',
  incidents: 'Guasti',
  noIncidents: 'Nessuno negli ultimi 90 giorni.',
  impacts: { maintenance: 'Manutenzione', degraded: 'Degradato', outage: 'Interruzione' },
  open: 'In corso',
  resolved: 'Risolto',
  concerns: (models) => `Riguarda ${models}`,
  since: 'inizio',
  forPrograms: 'Lo stesso per i programmi:',
  signIn: 'Accedi',
};
