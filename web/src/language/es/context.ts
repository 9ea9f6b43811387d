import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const esContext: typeof enContext = {
  counted: 'Contado con el tokenizador del propio modelo.',
  summarised: 'Un resumen está en lugar de los mensajes más antiguos.',
  willSummarise: 'Antes de responder, el modelo resume los mensajes más antiguos.',
  summarising: 'Resumiendo los mensajes más antiguos',
  choice: {
    title: 'Esta conversación ya no cabe en el modelo',
    explained:
      'El modelo puede resumir los mensajes más antiguos antes de responder, o se dejan fuera. Usted los conserva todos en ambos casos.',
    summarise: 'Resumirlos',
    leaveOut: 'Dejarlos fuera',
    always: 'Hacer lo mismo en todos los chats',
  },
  summary: {
    title: 'Resumen de lo anterior',
    by: (model) => `por ${model}`,
    edited: 'editado por usted',
    edit: 'Editar',
    leaveOut: 'Dejar fuera en su lugar',
    summarise: 'Resumir en su lugar',
    problem: 'No se pudo escribir el resumen, así que los mensajes más antiguos se dejaron fuera.',
    sent: 'Los mensajes más antiguos no cabían. En su lugar se envió este resumen:',
  },
  settings: {
    title: 'Conversaciones largas',
    label: 'Cuando una conversación ya no cabe en el modelo',
    ask: 'Preguntarme',
    summarise: 'Resumir los mensajes más antiguos',
    leaveOut: 'Dejar fuera los mensajes más antiguos',
  },
  byMeaning: {
    searched: 'Los pasajes se encontraron por sus palabras y por su significado.',
    failed:
      'La búsqueda por significado no respondió a tiempo: los pasajes se encontraron solo por sus palabras.',
  },
};
