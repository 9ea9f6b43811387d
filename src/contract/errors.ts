import { z } from 'zod';
import { refusalCodes, type RefusalCode } from '#vocabulary/refusal';
import type { Shape } from './shape.ts';

/** The body of every refusal: OpenAI's error object. `code` is one of the codes of the refusal table. */
export const errorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.enum(refusalCodes),
  }),
});

export type { RefusalCode };
export type ErrorBody = Shape<typeof errorBody>;
