import type { SchemaNode } from './schema-document.ts';
import { LanguageTooComplex } from '../patterns/text-language.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Gives a text that grew too complex the name of the keyword and the place that asked for it. */
export function refuseTooComplex<Result>(
  node: SchemaNode | undefined,
  work: () => Result,
  keyword = 'pattern',
): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof LanguageTooComplex)
      throw new UnsupportedSchema(keyword, node?.path ?? '', error.message);
    throw error;
  }
}
