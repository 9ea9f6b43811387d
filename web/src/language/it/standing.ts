import type { enStanding } from '../en/standing.ts';

/** What people may still use: the usage page, the line above the composer, and keys. */
export const itStanding: typeof enStanding = {
  title: 'I suoi limiti',
  lead: 'Che cosa resta, quando torna intero e chi può aumentarlo. I budget contano unità: token pesati per quanto costano, quelli scritti più di quelli letti, i modelli grandi più di quelli piccoli.',
  none: 'Qui nulla la limita.',
  noneOf: 'In questo progetto nulla la limita.',
  account: 'Il suo account',
  accountLead: 'Tutto ciò che fa, in tutti i progetti insieme.',
  keys: 'Le sue chiavi',
  everyone: 'Tutti',
  everyoneLead: 'La chat web, e le chiavi di nessun altro progetto.',
  youLead: 'lo segue lei',
  ends: 'termina',
  manage: 'Gestisci',
  limits: {
    requestsPerMinute: 'Richieste al minuto',
    tokensPerMinute: 'Token al minuto',
    requestsAtOnce: 'Richieste simultanee',
    costPerDay: 'Budget al giorno',
    costPerMonth: 'Budget al mese',
    costInTotal: 'Budget complessivo',
  },
  ofAll: 'dell’intero progetto',
  ofYou: 'per lei',
  ofKey: (name) => `della chiave «${name}»`,
  forModel: (model) => `per ${model}`,
  units: (amount) => `${amount} unità`,
  left: (left, amount) => `ne restano ${left} di ${amount}`,
  renews: 'si rinnova',
  renewsNever: 'non si rinnova',
  raisedBy: (leads) =>
    leads.length === 0
      ? 'Può aumentarlo un amministratore'
      : `Possono aumentarlo ${leads.join(', ')} o un amministratore`,
  warning: {
    nearly: (percent, limit) => `Consumo: ${percent} % del suo ${limit}.`,
    over: (limit) => `Il suo ${limit} è esaurito.`,
    nearlyOfProject: (percent, limit, project) => `Consumo: ${percent} % del ${limit} di ${project}.`,
    overOfProject: (limit, project) => `Il ${limit} di ${project} è esaurito.`,
    budgets: { costPerDay: 'budget di oggi', costPerMonth: 'budget di questo mese', costInTotal: 'budget' },
    see: 'Vedi i limiti',
    dismiss: 'Non mostrare più',
  },
  storage: {
    title: 'Spazio',
    lead: 'Quanto occupano qui le sue chat e i suoi documenti. Ciò che elimina conta finché non sparisce del tutto, dopo un giorno.',
    used: (used, limit) => `${used} di ${limit} usati`,
    full: 'È tutto occupato: non si può conservare nulla di nuovo finché non elimina chat o documenti.',
    nearlyFull: 'È quasi pieno. Elimini ciò che non le serve più.',
  },
};
