import type { enImports } from '../en/imports.ts';
import { counted } from './counted.ts';

/** Chats from elsewhere. */
export const esImports: typeof enImports = {
  lead: 'Un archivo exportado aquí antes, de ChatGPT, de Claude o de Open WebUI. Los chats importados se añaden; nada se sobrescribe. El archivo se lee en su navegador.',
  unreadable:
    'Esto no es un archivo de chats. Elija una exportación de este servicio, de ChatGPT o de Claude (el zip, o su conversations.json) o de Open WebUI.',
  untitled: 'Chat importado',
  reading: 'Leyendo el archivo',
  progress: (imported, count) => `${imported} de ${count} chats están dentro`,
  stoppedAt: (imported, count) =>
    `${imported} de ${count} chats están dentro, los demás no. Importar el archivo otra vez traería esos por duplicado.`,
  howTo: 'Dónde conseguir tal archivo',
  chatGpt:
    'ChatGPT: Ajustes, Controles de datos, Exportar datos. El zip del correo se puede elegir tal cual.',
  claude: 'Claude: Ajustes, Privacidad, Exportar datos. El zip del correo se puede elegir tal cual.',
  openWebUi: 'Open WebUI: Ajustes, Controles de datos, Exportar chats.',
  leftOut: {
    title: 'Se dejó fuera:',
    chats: (count) =>
      counted(count, { one: 'un chat vacío o ilegible', other: '# chats vacíos o ilegibles' }),
    messages: (count) => counted(count, { one: 'un mensaje', other: '# mensajes' }),
    files: (count) =>
      counted(count, {
        one: 'una imagen o archivo, con su nombre en su lugar',
        other: '# imágenes y archivos, con sus nombres en su lugar',
      }),
  },
};
