import type { enImports } from '../en/imports.ts';
import { counted } from './counted.ts';

export const deImports: typeof enImports = {
  lead: 'Eine Datei, die hier, aus ChatGPT, Claude oder Open WebUI exportiert wurde. Importierte Chats kommen hinzu; nichts wird überschrieben. Gelesen wird die Datei in Ihrem Browser.',
  unreadable:
    'Das ist keine Datei mit Chats. Wählen Sie einen Export von hier, aus ChatGPT oder Claude (die ZIP-Datei oder conversations.json daraus) oder aus Open WebUI.',
  untitled: 'Importierter Chat',
  reading: 'Die Datei wird gelesen',
  progress: (imported, count) => `${imported} von ${count} Chats sind da`,
  stoppedAt: (imported, count) =>
    `${imported} von ${count} Chats sind da, die anderen nicht. Wer die Datei noch einmal importiert, hat diese doppelt.`,
  howTo: 'Woher eine solche Datei kommt',
  chatGpt:
    'ChatGPT: Einstellungen, Datenkontrollen, Daten exportieren. Die ZIP-Datei aus der E-Mail passt, wie sie ist.',
  claude:
    'Claude: Einstellungen, Datenschutz, Daten exportieren. Die ZIP-Datei aus der E-Mail passt, wie sie ist.',
  openWebUi: 'Open WebUI: Einstellungen, Datenkontrolle, Chats exportieren.',
  leftOut: {
    title: 'Nicht dabei:',
    chats: (count) =>
      counted(count, { one: 'ein leerer oder unlesbarer Chat', other: '# leere oder unlesbare Chats' }),
    messages: (count) => counted(count, { one: 'eine Nachricht', other: '# Nachrichten' }),
    files: (count) =>
      counted(count, {
        one: 'ein Bild oder eine Datei; der Name steht an ihrer Stelle',
        other: '# Bilder und Dateien; ihre Namen stehen an ihrer Stelle',
      }),
  },
};
