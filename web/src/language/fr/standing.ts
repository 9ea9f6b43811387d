import type { enStanding } from '../en/standing.ts';

/** What people may still use: the usage page, the line above the composer, and keys. */
export const frStanding: typeof enStanding = {
  title: 'Vos limites',
  lead: 'Ce qui reste, quand cela se renouvelle, et qui peut l’augmenter. Les budgets comptent des unités : des tokens pondérés par leur coût, ceux écrits plus que ceux lus, les grands modèles plus que les petits.',
  none: 'Rien ne vous limite ici.',
  noneOf: 'Rien ne vous limite dans ce projet.',
  account: 'Votre compte',
  accountLead: 'Tout ce que vous faites, tous projets confondus.',
  keys: 'Vos clés',
  everyone: 'Tous',
  everyoneLead: 'Le chat web, et les clés qui ne sont d’aucun autre projet.',
  youLead: 'vous en êtes responsable',
  ends: 'fin',
  manage: 'Gérer',
  limits: {
    requestsPerMinute: 'Requêtes par minute',
    tokensPerMinute: 'Tokens par minute',
    requestsAtOnce: 'Requêtes simultanées',
    costPerDay: 'Budget par jour',
    costPerMonth: 'Budget par mois',
    costInTotal: 'Budget total',
  },
  ofAll: 'de tout le projet',
  ofYou: 'pour vous',
  ofKey: (name) => `de la clé « ${name} »`,
  forModel: (model) => `pour ${model}`,
  units: (amount) => `${amount} unités`,
  left: (left, amount) => `il reste ${left} sur ${amount}`,
  renews: 'se renouvelle',
  renewsNever: 'ne se renouvelle pas',
  raisedBy: (leads) =>
    leads.length === 0
      ? 'Un administrateur peut l’augmenter'
      : `${leads.join(', ')} ou un administrateur peut l’augmenter`,
  warning: {
    nearly: (percent, limit) => `${percent} % de votre ${limit} est consommé.`,
    over: (limit) => `Votre ${limit} est épuisé.`,
    nearlyOfProject: (percent, limit, project) => `${percent} % du ${limit} de ${project} est consommé.`,
    overOfProject: (limit, project) => `Le ${limit} de ${project} est épuisé.`,
    budgets: { costPerDay: 'budget du jour', costPerMonth: 'budget du mois', costInTotal: 'budget' },
    see: 'Voir vos limites',
    dismiss: 'Ne plus afficher',
  },
  storage: {
    title: 'Espace',
    lead: 'Ce que vos discussions et documents occupent ici. Ce que vous supprimez compte jusqu’à sa disparition définitive, après un jour.',
    used: (used, limit) => `${used} sur ${limit} occupés`,
    full: 'Tout est occupé : rien de nouveau ne peut être conservé tant que vous n’avez pas supprimé des discussions ou des documents.',
    nearlyFull: 'C’est presque plein. Supprimez ce dont vous n’avez plus besoin.',
  },
};
