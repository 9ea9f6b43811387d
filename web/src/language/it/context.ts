import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const itContext: typeof enContext = {
  counted: 'Contato con il tokenizer del modello stesso.',
  summarised: 'Un riassunto sta al posto dei messaggi più vecchi.',
  willSummarise: 'Prima di rispondere, il modello riassume i messaggi più vecchi.',
  summarising: 'Riassunto dei messaggi più vecchi in corso',
  choice: {
    title: 'Questa conversazione non sta più nel modello',
    explained:
      'Il modello può riassumere i messaggi più vecchi prima di rispondere, oppure vengono tralasciati. In entrambi i casi lei li conserva tutti.',
    summarise: 'Riassumili',
    leaveOut: 'Tralasciali',
    always: 'Fai lo stesso in tutte le chat',
  },
  summary: {
    title: 'Riassunto di ciò che precede',
    by: (model) => `di ${model}`,
    edited: 'modificato da lei',
    edit: 'Modifica',
    leaveOut: 'Tralascia invece',
    summarise: 'Riassumi invece',
    problem: 'Non è stato possibile scrivere il riassunto; i messaggi più vecchi sono stati tralasciati.',
    sent: 'I messaggi più vecchi non ci stavano. Al loro posto è stato inviato questo riassunto:',
  },
  settings: {
    title: 'Conversazioni lunghe',
    label: 'Quando una conversazione non sta più nel modello',
    ask: 'Chiedimi',
    summarise: 'Riassumi i messaggi più vecchi',
    leaveOut: 'Tralascia i messaggi più vecchi',
  },
  byMeaning: {
    searched: 'I passi sono stati trovati per parole e per significato.',
    failed:
      'La ricerca per significato non ha risposto in tempo: i passi sono stati trovati solo per parole.',
  },
};
