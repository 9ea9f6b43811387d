import type { enTools } from '../en/tools.ts';
import { counted } from './counted.ts';

/** Tools that servers offer, and the questions before they are called. */
export const itTools: typeof enTools = {
  choose: 'Strumenti',
  chosen: (count) =>
    counted(count, { one: 'Strumenti: 1 server attivo', other: 'Strumenti: # server attivi' }),
  explained:
    'Il modello può chiedere gli strumenti dei server che attiva. Prima di inviare qualsiasi cosa le viene chiesto.',
  count: (count) => counted(count, { one: '1 strumento', other: '# strumenti' }),
  unreachable: 'Al momento non risponde',
  call: (tool, server) => `${tool}, uno strumento di ${server}`,
  of: (server) => `di ${server}`,
  asks: (server) => `Il modello vuole chiamare questo strumento. A ${server} verrebbe inviato:`,
  nothingSent: 'Nulla oltre alla chiamata stessa.',
  allowOnce: 'Consenti una volta',
  allowInChat: 'Consenti in questa chat',
  allowAlways: 'Consenti sempre',
  refuse: 'Rifiuta',
  states: {
    asked: 'In attesa di lei',
    running: 'In corso',
    done: 'Fatto',
    refused: 'Rifiutato',
    stopped: 'Fermato',
    interrupted: 'Interrotto',
    failed: 'Non riuscito',
    toolError: 'Lo strumento segnala un problema',
  },
  sent: 'Inviato',
  result: 'Risultato',
  empty: 'Il risultato è vuoto.',
  cut: 'Il risultato era più lungo; il resto è stato tagliato.',
  failures: {
    tool_timeout: 'Lo strumento non ha risposto in tempo.',
    tool_unreachable: 'Lo strumento non era raggiungibile, o si è interrotto.',
    tool_nonsense: 'Lo strumento ha dato una risposta incomprensibile.',
    tool_too_large: 'Lo strumento ha risposto più di quanto è consentito.',
    tool_changed:
      'La chiamata non è stata fatta: lo strumento è cambiato da quando le è stato chiesto. Chieda di nuovo per continuare.',
    tool_busy: 'Troppe chiamate in una volta.',
    tool_arguments: 'La chiamata non è stata fatta: il modello ha scritto argomenti che non sono JSON.',
  },
  failed: 'La chiamata non è riuscita.',
  interrupted: 'Il servizio è stato riavviato, o nessuno ha risposto. Chieda di nuovo per continuare.',
  consents: {
    title: 'Strumenti',
    lead: 'Strumenti che si possono chiamare in tutte le sue chat senza chiederle nulla. Quando uno cambia, le viene chiesto di nuovo.',
    none: 'Le viene chiesto prima di ogni strumento, a meno che non l’abbia consentito per una chat.',
    given: 'Consentito',
    withdraw: 'Chiedi di nuovo',
    withdrawn: 'Prima di chiamare questo strumento le verrà chiesto di nuovo.',
  },
};
