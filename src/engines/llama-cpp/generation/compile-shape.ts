import { Refusal } from '#vocabulary/refusal';
import { compileAnyJsonObject, compileJsonSchema } from '../constraint/constraint.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { UnsupportedSchema } from '../constraint/unsupported-schema.ts';
import type { AnswerShape } from '../chat/read-shape.ts';

export function compileShape(shape: AnswerShape): Constraint {
  return shape.kind === 'any-object'
    ? compileAnyJsonObject()
    : compileSchema(shape.schema, 'response_format.json_schema.schema');
}

/** A schema that cannot be honoured is refused with the keyword that is to blame; never half obeyed. */
export function compileSchema(schema: unknown, param: string): Constraint {
  try {
    return compileJsonSchema(schema);
  } catch (error) {
    if (!(error instanceof UnsupportedSchema)) throw error;
    throw new Refusal('unsupported_parameter', error.message, {
      param: `${param}${error.path}`,
      cause: error,
    });
  }
}
