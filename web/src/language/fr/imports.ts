import type { enImports } from '../en/imports.ts';
import { counted } from './counted.ts';

/** Chats from elsewhere. */
export const frImports: typeof enImports = {
  lead: 'Un fichier exporté ici, de ChatGPT, de Claude ou d’Open WebUI. Les discussions importées s’ajoutent ; rien n’est écrasé. Le fichier est lu dans votre navigateur.',
  unreadable:
    'Ce n’est pas un fichier de discussions. Choisissez un export de ce service, de ChatGPT ou de Claude (le zip, ou conversations.json dedans) ou d’Open WebUI.',
  untitled: 'Discussion importée',
  reading: 'Lecture du fichier',
  progress: (imported, count) => `${imported} discussions sur ${count} sont là`,
  stoppedAt: (imported, count) =>
    `${imported} discussions sur ${count} sont là, les autres non. Importer encore ce fichier les doublerait.`,
  howTo: 'Où obtenir un tel fichier',
  chatGpt:
    'ChatGPT : Paramètres, Gestion des données, Exporter les données. Le zip du courriel convient tel quel.',
  claude: 'Claude : Paramètres, Confidentialité, Exporter les données. Le zip du courriel convient tel quel.',
  openWebUi: 'Open WebUI : Paramètres, Données, Exporter les discussions.',
  leftOut: {
    title: 'Laissé de côté :',
    chats: (count) =>
      counted(count, {
        one: '# discussion vide ou illisible',
        other: '# discussions vides ou illisibles',
      }),
    messages: (count) => counted(count, { one: '# message', other: '# messages' }),
    files: (count) =>
      counted(count, {
        one: '# image ou fichier, dont le nom est resté',
        other: '# images et fichiers, dont les noms sont restés',
      }),
  },
};
