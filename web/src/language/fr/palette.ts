import type { enPalette } from '../en/palette.ts';
import { counted } from './counted.ts';

/** The one dialog that finds everything. */
export const frPalette: typeof enPalette = {
  title: 'Trouver ou faire quelque chose',
  placeholder: 'Une discussion, un mot, un modèle, une page, une action',
  results: 'Résultats',
  count: (count) => counted(count, { none: 'Rien trouvé', one: '# résultat', other: '# résultats' }),
  nothing: 'Rien trouvé. La recherche porte sur les mots entiers et leurs débuts.',
  searching: 'Recherche dans vos messages',
  groups: {
    actions: 'Actions',
    recent: 'Discussions récentes',
    chats: 'Discussions',
    spaces: 'Projets',
    presets: 'Préréglages',
    models: 'Modèles',
    pages: 'Pages',
    messages: 'Dans les messages',
  },
  newChat: 'Nouvelle discussion',
  temporary: 'Discussion temporaire',
  compare: 'Comparer des modèles',
  newFolder: 'Nouveau dossier',
  useHere: (model) => `Répondre ici avec ${model}`,
  startWith: (model) => `Nouvelle discussion avec ${model}`,
  light: 'Thème clair',
  dark: 'Thème sombre',
  system: 'Thème du système',
  settings: (page) => `Réglages : ${page}`,
  administration: (page) => `Administration : ${page}`,
  move: 'se déplacer',
  open: 'ouvrir',
  close: 'fermer',
};
