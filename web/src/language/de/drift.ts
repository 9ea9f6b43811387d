import type { DriftWords } from '../en/drift.ts';

export const deDrift: DriftWords = {
  title: 'Neben den Zählern der Engines',
  lead: 'Tokens, wie dieser Dienst und wie jede Engine sie gezählt hat. Ein Plus: Die Engine hat mehr getan, als von hier kam, weil auch andere sie nutzen. Ein Minus: Die Engine weiß nichts von Arbeit, die hier gezählt wurde. Während Antworten geschrieben werden, kann die Engine etwas voraus sein.',
  show: 'Anzeigen',
  everyEngine: 'Alle Engines, letzte 24 Stunden',
  hoursOf: (engine) => `${engine}, Stunde für Stunde`,
  engine: 'Engine',
  hour: 'Stunde',
  input: 'Eingabe',
  output: 'Ausgabe',
  ours: 'hier',
  theirs: 'Engine',
  difference: 'Unterschied',
  notWhole: 'nicht ganz',
  notWholeNote:
    'Nicht ganz: In dieser Stunde ist dieser Dienst oder die Engine gestartet; was dazwischen lag, fehlt auf beiden Seiten. Gezählt wird ab dem Start dieses Dienstes, höchstens 48 Stunden zurück.',
  none: 'hat keine Zähler',
  unread: 'konnte noch nicht gefragt werden',
  noHours: 'Noch wurde nichts verglichen.',
};
