import type { enDrift } from '../en/drift.ts';

/** Administration, Usage: our sums beside the engines' own counters. */
export const frDrift: typeof enDrift = {
  title: 'En regard des compteurs des moteurs',
  lead: 'Les tokens comptés par ce service et par chaque moteur. Un plus : le moteur a fait davantage que ce qui est passé par ici, car d’autres l’utilisent aussi. Un moins : le moteur ignore un travail compté ici. Pendant que des réponses s’écrivent, le moteur peut avoir un peu d’avance.',
  show: 'Afficher',
  everyEngine: 'Tous les moteurs, dernières 24 heures',
  hoursOf: (engine) => `${engine}, heure par heure`,
  engine: 'Moteur',
  hour: 'Heure',
  input: 'Entrée',
  output: 'Sortie',
  ours: 'ici',
  theirs: 'moteur',
  difference: 'écart',
  notWhole: 'incomplet',
  notWholeNote:
    'Incomplet : ce service ou le moteur a démarré pendant cette heure, et ce qui s’est passé entre-temps n’est compté d’aucun côté. Le compte commence au démarrage de ce service et remonte à 48 heures.',
  none: 'n’a pas de compteurs',
  unread: 'n’a pas encore pu être interrogé',
  noHours: 'Rien n’a encore été comparé.',
};
