import { counted } from './counted.ts';

/** The status page. */
export const enStatus = {
  title: 'Status',
  lead: 'From real answers and tiny test questions. A bar is a day (UTC): how much of it the model could answer. Open a model to see more.',
  states: {
    operational: 'Operational',
    degraded: 'Degraded',
    outage: 'Outage',
    unknown: 'Not known yet',
  },
  overall: {
    operational: 'Everything works',
    degraded: 'Something does not work as it should',
    outage: 'The models do not answer',
    unknown: 'Nothing has been tried yet',
  },
  asOf: 'As of',
  models: 'Models',
  uptime: (share: string, days: number) =>
    counted(days, { one: `${share} up in one day`, other: `${share} up in # days` }),
  noUptime: 'Not watched yet',
  firstToken: (time: string) => `first token in ${time}`,
  uptimeRow: 'Uptime, by day',
  daysAgo: '90 days ago',
  today: 'Today',
  day: {
    unwatched: 'not watched',
    up: (share: string) => `${share} up`,
    failed: (share: string) => `${share} of the answers failed`,
    watched: (share: string) => `watched for ${share} of the day`,
    firstToken: (time: string) => `first token in ${time}`,
  },
  noTrouble: 'No trouble on any day that was watched.',
  incidents: 'Incidents',
  noIncidents: 'None in the last 90 days.',
  impacts: { maintenance: 'Maintenance', degraded: 'Degraded', outage: 'Outage' },
  open: 'Going on',
  resolved: 'Over',
  concerns: (models: string) => `Concerns ${models}`,
  since: 'since',
  forPrograms: 'The same for programs:',
  signIn: 'Sign in',
};

export type StatusWords = typeof enStatus;
