import type { ProjectStanding } from '#contract/projects';

/** What people may still use: the usage page, the line above the composer, and keys. */
export const enStanding = {
  title: 'Your limits',
  lead: 'What is left, when it is whole again, and who can raise it. Budgets count units: tokens weighed by what they cost, written ones more than read ones, large models more than small ones.',
  none: 'Nothing limits you here.',
  noneOf: 'Nothing limits you in this project.',
  account: 'Your account',
  accountLead: 'Everything you do, in all projects together.',
  keys: 'Your keys',
  everyone: 'Everyone',
  everyoneLead: 'The web chat, and keys of no other project.',
  youLead: 'you lead it',
  ends: 'ends',
  manage: 'Manage',
  limits: {
    requestsPerMinute: 'Requests per minute',
    tokensPerMinute: 'Tokens per minute',
    requestsAtOnce: 'Requests at once',
    costPerDay: 'Budget per day',
    costPerMonth: 'Budget per month',
    costInTotal: 'Budget in total',
  } satisfies Record<ProjectStanding['limit'], string>,
  ofAll: 'of the whole project',
  ofYou: 'for you',
  ofKey: (name: string) => `of the key “${name}”`,
  forModel: (model: string) => `for ${model}`,
  /** Of a budget: what it counts has a name. */
  units: (amount: string) => `${amount} units`,
  left: (left: string, amount: string) => `${left} of ${amount} left`,
  renews: 'renews',
  renewsNever: 'does not renew',
  raisedBy: (leads: readonly string[]) =>
    leads.length === 0
      ? 'An administrator can raise it'
      : `${leads.join(', ')} or an administrator can raise it`,
  warning: {
    nearly: (percent: number, limit: string) => `${percent} % of your ${limit} is used.`,
    over: (limit: string) => `Your ${limit} is used up.`,
    nearlyOfProject: (percent: number, limit: string, project: string) =>
      `${percent} % of the ${limit} of ${project} is used.`,
    overOfProject: (limit: string, project: string) => `The ${limit} of ${project} is used up.`,
    budgets: { costPerDay: 'budget for today', costPerMonth: 'budget for this month', costInTotal: 'budget' },
    see: 'See your limits',
    dismiss: 'Do not show this again',
  },
  storage: {
    title: 'Storage',
    lead: 'What your chats and documents take here. What you delete counts until it is gone for good, after a day.',
    used: (used: string, limit: string) => `${used} of ${limit} used`,
    full: 'All of it is used: nothing new can be kept until you delete chats or documents.',
    nearlyFull: 'It is nearly full. Delete what you no longer need.',
  },
};
