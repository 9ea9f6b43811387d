import type { enStanding } from '../en/standing.ts';

export const deStanding: typeof enStanding = {
  title: 'Ihre Grenzen',
  lead: 'Was noch übrig ist, wann es sich erneuert und wer es erhöhen kann. Budgets zählen Einheiten: Token, gewichtet nach dem, was sie kosten; geschriebene wiegen mehr als gelesene, große Modelle mehr als kleine.',
  none: 'Hier begrenzt Sie nichts.',
  noneOf: 'In diesem Projekt begrenzt Sie nichts.',
  account: 'Ihr Konto',
  accountLead: 'Alles, was Sie tun, in allen Projekten zusammen.',
  keys: 'Ihre Schlüssel',
  everyone: 'Alle',
  everyoneLead: 'Der Web-Chat, und Schlüssel ohne anderes Projekt.',
  youLead: 'Sie leiten es',
  ends: 'endet',
  manage: 'Verwalten',
  limits: {
    requestsPerMinute: 'Anfragen je Minute',
    tokensPerMinute: 'Token je Minute',
    requestsAtOnce: 'Anfragen gleichzeitig',
    costPerDay: 'Budget je Tag',
    costPerMonth: 'Budget je Monat',
    costInTotal: 'Budget insgesamt',
  },
  ofAll: 'des ganzen Projekts',
  ofYou: 'für Sie',
  ofKey: (name) => `des Schlüssels „${name}“`,
  forModel: (model) => `für ${model}`,
  units: (amount) => `${amount} Einheiten`,
  left: (left, amount) => `${left} von ${amount} übrig`,
  renews: 'erneuert sich',
  renewsNever: 'erneuert sich nicht',
  raisedBy: (leads) =>
    leads.length === 0
      ? 'Erhöhen kann es die Administration'
      : `Erhöhen können es ${leads.join(', ')} oder die Administration`,
  warning: {
    nearly: (percent, limit) => `${percent} % Ihres Budgets ${limit} sind verbraucht.`,
    over: (limit) => `Ihr Budget ${limit} ist verbraucht.`,
    nearlyOfProject: (percent, limit, project) =>
      `${percent} % des Budgets ${limit} von ${project} sind verbraucht.`,
    overOfProject: (limit, project) => `Das Budget ${limit} von ${project} ist verbraucht.`,
    budgets: { costPerDay: 'für heute', costPerMonth: 'für diesen Monat', costInTotal: 'insgesamt' },
    see: 'Ihre Grenzen ansehen',
    dismiss: 'Nicht mehr zeigen',
  },
  storage: {
    title: 'Speicher',
    lead: 'Was Ihre Chats und Dokumente hier belegen. Gelöschtes zählt, bis es nach einem Tag endgültig weg ist.',
    used: (used, limit) => `${used} von ${limit} belegt`,
    full: 'Alles ist belegt: Neues wird erst wieder aufgehoben, wenn Sie Chats oder Dokumente löschen.',
    nearlyFull: 'Es ist fast voll. Löschen Sie, was Sie nicht mehr brauchen.',
  },
};
