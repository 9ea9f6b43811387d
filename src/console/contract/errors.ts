import { z } from 'zod';

/** The body of every refusal: OpenAI's error object. `code` is one of the codes of the refusal table. */
export const errorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
});

export type ErrorBody = z.infer<typeof errorBody>;
