import type { enDocuments } from '../en/documents.ts';
import { counted } from './counted.ts';

/** Documents, pictures and what the model is given. */
export const esDocuments: typeof enDocuments = {
  attach: 'Adjuntar archivos',
  dropHere: 'Suelte aquí los archivos para adjuntarlos',
  attached: 'Archivos adjuntos',
  remove: (name) => `Quitar ${name}`,
  reading: 'Leyendo',
  sending: 'Enviando',
  pages: (count) => counted(count, { one: '1 página', other: '# páginas' }),
  cells: (count) => counted(count, { one: '1 celda', other: '# celdas' }),
  emptyPages: (empty, all) =>
    counted(empty, {
      one: `1 de ${all} páginas no tiene texto, como las escaneadas. El modelo no la ve.`,
      other: `# de ${all} páginas no tienen texto, como las escaneadas. El modelo no las ve.`,
    }),
  tooMany: (max) =>
    counted(max, {
      one: 'Una pregunta admite un archivo como máximo.',
      other: 'Una pregunta admite # archivos como máximo.',
    }),
  waitForFiles: 'Los archivos aún no han llegado',
  pasted: 'Texto pegado',
  blind: (model) =>
    `${model} no puede mirar imágenes: solo recibe sus palabras. Elija un modelo que pueda, o quite la imagen.`,
  problems: {
    unsupported:
      'Este tipo de archivo no se puede leer aquí. Sí PDF, Word (.docx), textos, tablas, cuadernos e imágenes.',
    unreadable: 'Este archivo está dañado, o no es lo que dice su nombre.',
    password: 'Este archivo está protegido con contraseña. Guárdelo sin ella y vuelva a adjuntarlo.',
    noText:
      'Este archivo contiene imágenes de páginas y ningún texto, como un escaneo. Adjunte una versión con texto.',
    empty: 'Este archivo está vacío.',
    tooLarge: 'Este archivo es mayor de lo que admite el servicio. Adjunte una parte.',
    tooLong: 'Este archivo es demasiado largo para leerlo aquí. Adjunte una parte.',
    storageFull: 'Ya no cabe en su espacio. Elimine chats que ya no necesite.',
    noPicturesHere: 'En un chat temporal no caben imágenes, porque habría que guardarlas.',
    notSent: 'No se pudo enviar. Quítelo y vuelva a adjuntarlo.',
  },
  sources: 'Fuentes',
  source: (number, name, page) => `Fuente ${number}: ${name}, página ${page}`,
  page: (page) => `página ${page}`,
  pageOf: (page, count) => `Página ${page} de ${count}`,
  previousPage: 'Página anterior',
  nextPage: 'Página siguiente',
  original: 'Descargar el original',
  closeDocument: 'Cerrar el documento',
  noTextOnPage: 'No hay texto en esta página.',
  sent: {
    title: 'Qué se envió',
    explained: 'Exactamente esto recibió el modelo para esta respuesta.',
    show: 'Qué se envió al modelo',
    instructions: 'Instrucciones',
    documents: 'Documentos',
    conversation: 'Conversación',
    answer: 'Reservado para la respuesta',
    tokens: (count) => `${count} tokens`,
    aboutTokens: (count) => `unos ${count} tokens`,
    of: (used, all) => `${used} de ${all} tokens`,
    wholePages: 'El texto completo de estas páginas:',
    pictures: 'Imágenes:',
    leftOut: 'No se envió nada de:',
    beganLater: 'Los mensajes más antiguos no cabían y se dejaron fuera.',
    allMessages: 'Se enviaron todos los mensajes de esta conversación.',
  },
  context: {
    meter: (percent) => `Contexto: ${percent} % lleno`,
    title: 'Qué recibirá el modelo',
    estimated: 'Estimado, más bien por exceso.',
    tight: 'La conversación ya no cabe entera. El modelo responde sin sus mensajes más antiguos.',
    documentsInPart: 'Un documento no cabe entero: se envían los pasajes que tocan su pregunta.',
    viewBegins: 'El modelo ve la conversación desde aquí',
  },
};
