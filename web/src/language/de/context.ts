import type { enContext } from '../en/context.ts';

export const deContext: typeof enContext = {
  counted: 'Gezählt vom Tokenizer des Modells selbst.',
};
