import type { enImports } from '../en/imports.ts';
import { counted } from './counted.ts';

/** Chats from elsewhere. */
export const itImports: typeof enImports = {
  lead: 'Un file esportato in precedenza da qui, da ChatGPT, da Claude o da Open WebUI. Le chat importate si aggiungono; nulla viene sovrascritto. Il file viene letto nel suo browser.',
  unreadable:
    'Questo non è un file di chat. Scelga un’esportazione di questo servizio, di ChatGPT o di Claude (lo zip, o il conversations.json che contiene) o di Open WebUI.',
  untitled: 'Chat importata',
  reading: 'Lettura del file',
  progress: (imported, count) => `Chat importate: ${imported} di ${count}`,
  stoppedAt: (imported, count) =>
    `Chat importate: ${imported} di ${count}; le altre no. Importando di nuovo il file, quelle già importate sarebbero doppie.`,
  howTo: 'Dove trovare un file simile',
  chatGpt:
    'ChatGPT: Impostazioni, Controlli dei dati, Esporta dati. Lo zip dell’e-mail si può scegliere così com’è.',
  claude: 'Claude: Impostazioni, Privacy, Esporta dati. Lo zip dell’e-mail si può scegliere così com’è.',
  openWebUi: 'Open WebUI: Impostazioni, Controlli dei dati, Esporta chat.',
  leftOut: {
    title: 'Tralasciati:',
    chats: (count) =>
      counted(count, { one: 'una chat vuota o illeggibile', other: '# chat vuote o illeggibili' }),
    messages: (count) => counted(count, { one: 'un messaggio', other: '# messaggi' }),
    files: (count) =>
      counted(count, {
        one: 'un’immagine o un file, con il nome al suo posto',
        other: '# immagini e file, con i nomi al loro posto',
      }),
  },
};
