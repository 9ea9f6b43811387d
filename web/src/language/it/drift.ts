import type { enDrift } from '../en/drift.ts';

/** Administration, Usage: our sums beside the engines' own counters. */
export const itDrift: typeof enDrift = {
  title: 'A confronto con i contatori dei motori',
  lead: 'I token come li hanno contati questo servizio e ogni motore. Un più: il motore ha fatto più di quanto è passato da qui, perché lo usano anche altri. Un meno: il motore non sa di lavoro che qui è stato contato. Mentre le risposte sono in corso, il motore può essere un po’ avanti.',
  show: 'Mostra',
  everyEngine: 'Tutti i motori, ultime 24 ore',
  hoursOf: (engine) => `${engine}, ora per ora`,
  engine: 'Motore',
  hour: 'Ora',
  input: 'Ingresso',
  output: 'Uscita',
  ours: 'qui',
  theirs: 'motore',
  difference: 'differenza',
  notWhole: 'non intera',
  notWholeNote:
    'Non intera: in quell’ora questo servizio o il motore è stato avviato, e ciò che sta in mezzo non è da nessuna delle due parti. Il conteggio comincia con l’avvio di questo servizio e risale fino a 48 ore.',
  none: 'non ha contatori',
  unread: 'non è stato ancora possibile interrogarlo',
  noHours: 'Ancora nessun confronto.',
};
