import type { z } from 'zod';

/** What a schema describes, for reading: nobody changes what came over the wire. */
export type Shape<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
