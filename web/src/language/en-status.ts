/** The status page. */
export const enStatus = {
  title: 'Status',
  lead: 'From real answers and tiny test questions. The upper bars say for how much of a day a model could answer, the lower ones how soon it began. Days are UTC.',
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
  uptime: (share: string) => `${share} up in 90 days`,
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
  until: 'until',
  signIn: 'Sign in',
};

export type StatusWords = typeof enStatus;
