import type { EnginesWords } from './en-engines.ts';

export const deEngines: EnginesWords = {
  test: 'Testen',
  testOf: (engine) => `${engine} testen`,
  lead: 'Bittet die Engine um einen Gruß, an der Schlange vorbei, und zeigt, was sie sagt. Es steht im Protokoll und zählt für niemanden.',
  model: 'Modell',
  ask: 'Fragen',
  asking: 'Wartet auf die Antwort, bis zu einer Minute …',
  answered: (time) => `Antwort nach ${time}`,
  failed: (time) => `Fehlgeschlagen nach ${time}`,
};
