import { counted } from './counted.ts';

/** Chats from elsewhere. */
export const enImports = {
  lead: 'A file exported here before, from ChatGPT, Claude or Open WebUI. Imported chats are added; nothing is overwritten. The file is read in your browser.',
  unreadable:
    'This is no file of chats. Choose an export of this service, of ChatGPT or Claude (the zip, or conversations.json in it) or of Open WebUI.',
  untitled: 'Imported chat',
  reading: 'Reading the file',
  progress: (imported: number, count: number) => `${imported} of ${count} chats are in`,
  stoppedAt: (imported: number, count: number) =>
    `${imported} of ${count} chats are in, the others are not. Importing the file again would bring those twice.`,
  howTo: 'Where to get such a file',
  chatGpt: 'ChatGPT: Settings, Data controls, Export data. The zip from the e-mail can be chosen as it is.',
  claude: 'Claude: Settings, Privacy, Export data. The zip from the e-mail can be chosen as it is.',
  openWebUi: 'Open WebUI: Settings, Data controls, Export chats.',
  leftOut: {
    title: 'Left out:',
    chats: (count: number) =>
      counted(count, {
        one: 'one chat that is empty or unreadable',
        other: '# chats that are empty or unreadable',
      }),
    messages: (count: number) => counted(count, { one: 'one message', other: '# messages' }),
    files: (count: number) =>
      counted(count, {
        one: 'one picture or file, whose name is in its place',
        other: '# pictures and files, whose names are in their place',
      }),
  },
};
