import { counted } from './counted.ts';
import type { StatusWords } from '../en/status.ts';

export const deStatus: StatusWords = {
  title: 'Status',
  lead: 'Aus echten Antworten und winzigen Testfragen. Ein Balken ist ein Tag (UTC): wie viel davon das Modell antworten konnte. Wer ein Modell öffnet, sieht mehr.',
  states: {
    operational: 'In Betrieb',
    degraded: 'Eingeschränkt',
    outage: 'Ausgefallen',
    unknown: 'Noch nicht bekannt',
  },
  overall: {
    operational: 'Alles funktioniert',
    degraded: 'Etwas funktioniert nicht, wie es soll',
    outage: 'Die Modelle antworten nicht',
    unknown: 'Noch wurde nichts versucht',
  },
  asOf: 'Stand:',
  models: 'Modelle',
  uptime: (share, days) =>
    counted(days, { one: `${share} verfügbar an einem Tag`, other: `${share} verfügbar in # Tagen` }),
  noUptime: 'Noch nicht beobachtet',
  firstToken: (time) => `erstes Token nach ${time}`,
  uptimeRow: 'Verfügbarkeit, nach Tag',
  daysAgo: 'Vor 90 Tagen',
  today: 'Heute',
  day: {
    unwatched: 'nicht beobachtet',
    up: (share) => `${share} verfügbar`,
    failed: (share) => `${share} der Antworten fehlgeschlagen`,
    watched: (share) => `${share} des Tages beobachtet`,
    firstToken: (time) => `erstes Token nach ${time}`,
  },
  noTrouble: 'Keine Störung an allen Tagen, die beobachtet wurden.',
  incidents: 'Vorfälle',
  noIncidents: 'Keine in den letzten 90 Tagen.',
  impacts: { maintenance: 'Wartung', degraded: 'Eingeschränkt', outage: 'Ausfall' },
  open: 'Dauert an',
  resolved: 'Vorbei',
  concerns: (models) => `Betrifft ${models}`,
  since: 'seit',
  forPrograms: 'Dasselbe für Programme:',
  signIn: 'Anmelden',
};
