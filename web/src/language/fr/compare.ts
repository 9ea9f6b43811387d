import type { enCompare } from '../en/compare.ts';
import { counted } from './counted.ts';

/** One question to several models. */
export const frCompare: typeof enCompare = {
  title: 'Comparer des modèles',
  lead: 'Une question, plusieurs modèles côte à côte. Chaque réponse attend son tour et compte comme une autre. Choisissez celle avec laquelle continuer.',
  oneModel: 'Un seul modèle est proposé ici : il n’y a rien à comparer.',
  models: (fewest, most) => `Modèles (${fewest} à ${most})`,
  question: 'Question',
  blind: 'Cacher les noms jusqu’à mon vote',
  ask: (count) => counted(count, { one: 'Interroger un modèle', other: 'Interroger # modèles' }),
  answers: 'Réponses',
  answer: (letter) => `Réponse ${letter}`,
  blindHint:
    'Les noms sont cachés et l’ordre est tiré au sort. Votez pour la meilleure réponse pour voir qui l’a écrite.',
  vote: 'Celle-ci est meilleure',
  chosen: 'Votre choix',
  reveal: 'Montrer les noms sans voter',
  stop: 'Tout arrêter',
  goOn: 'Continuer avec celle-ci',
  another: 'Comparer une autre question',
  export: 'Exporter en CSV',
  speed: (tokens, seconds) => `${tokens} tokens, ${seconds} s`,
};
