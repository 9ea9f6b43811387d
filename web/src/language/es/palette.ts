import type { enPalette } from '../en/palette.ts';
import { counted } from './counted.ts';

/** The one dialog that finds everything. */
export const esPalette: typeof enPalette = {
  title: 'Buscar o hacer algo',
  placeholder: 'Un chat, una palabra en él, un modelo, una página, una acción',
  results: 'Resultados',
  count: (count) =>
    counted(count, { none: 'No se encontró nada', one: 'Un resultado', other: '# resultados' }),
  nothing: 'No se encontró nada. La búsqueda mira palabras enteras y sus comienzos.',
  searching: 'Buscando en sus mensajes',
  groups: {
    actions: 'Acciones',
    recent: 'Chats recientes',
    chats: 'Chats',
    spaces: 'Proyectos',
    presets: 'Preajustes',
    models: 'Modelos',
    pages: 'Páginas',
    messages: 'En los mensajes',
  },
  newChat: 'Nuevo chat',
  temporary: 'Chat temporal',
  compare: 'Comparar modelos',
  newFolder: 'Nueva carpeta',
  useHere: (model) => `Responder aquí con ${model}`,
  startWith: (model) => `Nuevo chat con ${model}`,
  light: 'Tema claro',
  dark: 'Tema oscuro',
  system: 'Tema del sistema',
  settings: (page) => `Ajustes: ${page}`,
  administration: (page) => `Administración: ${page}`,
  move: 'para moverse',
  open: 'para abrir',
  close: 'para cerrar',
};
