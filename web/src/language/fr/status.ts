import { counted } from './counted.ts';
import type { enStatus } from '../en/status.ts';

/** The status page. */
export const frStatus: typeof enStatus = {
  title: 'État',
  lead: 'D’après de vraies réponses et de toutes petites questions d’essai. Une barre est un jour (UTC) : la part pendant laquelle le modèle pouvait répondre. Ouvrez un modèle pour en voir plus.',
  states: {
    operational: 'En service',
    degraded: 'Dégradé',
    outage: 'Panne',
    unknown: 'Pas encore connu',
  },
  overall: {
    operational: 'Tout fonctionne',
    degraded: 'Quelque chose ne fonctionne pas comme prévu',
    outage: 'Les modèles ne répondent pas',
    unknown: 'Rien n’a encore été essayé',
  },
  asOf: 'À la date du',
  models: 'Modèles',
  uptime: (share, days) =>
    counted(days, {
      one: `${share} de disponibilité en un jour`,
      other: `${share} de disponibilité en # jours`,
    }),
  noUptime: 'Pas encore observé',
  firstToken: (time) => `premier token en ${time}`,
  uptimeRow: 'Disponibilité, jour par jour',
  daysAgo: 'Il y a 90 jours',
  today: 'Aujourd’hui',
  day: {
    unwatched: 'non observé',
    up: (share) => `${share} disponible`,
    failed: (share) => `${share} des réponses ont échoué`,
    watched: (share) => `observé pendant ${share} du jour`,
    firstToken: (time) => `premier token en ${time}`,
  },
  noTrouble: 'Aucun incident les jours observés.',
  incidents: 'Incidents',
  noIncidents: 'Aucun ces 90 derniers jours.',
  impacts: { maintenance: 'Maintenance', degraded: 'Dégradé', outage: 'Panne' },
  open: 'En cours',
  resolved: 'Terminé',
  concerns: (models) => `Concerne ${models}`,
  since: 'depuis',
  forPrograms: 'La même chose pour les programmes :',
  signIn: 'Se connecter',
};
