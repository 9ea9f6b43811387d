import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const frContext: typeof enContext = {
  counted: 'Compté par le tokeniseur du modèle lui-même.',
};
