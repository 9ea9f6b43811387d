import type { enCompare } from '../en/compare.ts';
import { counted } from './counted.ts';

/** Eine Frage an mehrere Modelle. */
export const deCompare: typeof enCompare = {
  title: 'Modelle vergleichen',
  lead: 'Eine Frage, von mehreren Modellen nebeneinander beantwortet. Jede Antwort wartet in der Reihe und zählt wie jede andere. Mit einer davon geht es weiter.',
  oneModel: 'Hier gibt es nur ein Modell: Es gibt nichts zu vergleichen.',
  models: (fewest, most) => `Modelle (${fewest} bis ${most})`,
  question: 'Frage',
  blind: 'Namen verbergen, bis ich gewählt habe',
  ask: (count) => counted(count, { one: 'Ein Modell fragen', other: '# Modelle fragen' }),
  answers: 'Antworten',
  answer: (letter) => `Antwort ${letter}`,
  blindHint:
    'Die Namen sind verborgen und die Reihenfolge ist zufällig. Wählen Sie die bessere Antwort, um zu sehen, wer sie schrieb.',
  vote: 'Diese ist besser',
  chosen: 'Ihre Wahl',
  reveal: 'Namen ohne Wahl zeigen',
  stop: 'Alle anhalten',
  goOn: 'Damit weitermachen',
  another: 'Eine andere Frage vergleichen',
  export: 'Als CSV exportieren',
  speed: (tokens, seconds) => `${tokens} Tokens, ${seconds} s`,
};
