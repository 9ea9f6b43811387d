import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const esContext: typeof enContext = {
  counted: 'Contado con el tokenizador del propio modelo.',
};
