import type { enCompare } from '../en/compare.ts';
import { counted } from './counted.ts';

/** One question to several models. */
export const itCompare: typeof enCompare = {
  title: 'Confronta modelli',
  lead: 'Una domanda, con le risposte di più modelli fianco a fianco. Ogni risposta aspetta in coda e conta come le altre. Ne scelga una con cui continuare.',
  oneModel: 'Qui è offerto un solo modello: non c’è nulla da confrontare.',
  models: (fewest, most) => `Modelli (da ${fewest} a ${most})`,
  question: 'Domanda',
  blind: 'Nascondi i nomi finché non ho votato',
  ask: (count) => counted(count, { one: 'Chiedi a un modello', other: 'Chiedi a # modelli' }),
  answers: 'Risposte',
  answer: (letter) => `Risposta ${letter}`,
  blindHint:
    'I nomi sono nascosti e l’ordine è casuale. Voti la risposta migliore per vedere chi l’ha scritta.',
  vote: 'Questa è migliore',
  chosen: 'La sua scelta',
  reveal: 'Mostra i nomi senza votare',
  stop: 'Interrompi tutte',
  goOn: 'Continua con questa',
  another: 'Confronta un’altra domanda',
  export: 'Esporta come CSV',
  speed: (tokens, seconds) => `${tokens} token, ${seconds} s`,
};
