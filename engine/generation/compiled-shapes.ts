import { Refusal } from '#vocabulary/refusal';
import type { AnswerShape } from '../chat/read-shape.ts';
import { compileAnyJsonObject, compileJsonSchema } from '../constraint/constraint.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { UnsupportedSchema } from '../schema/unsupported-schema.ts';

/** Compiles schemas and keeps the last ones: programs send the same schema again and again. */
export interface CompiledShapes {
  readonly anyObject: Constraint;
  /** A schema that cannot be honoured is refused with the keyword that is to blame; never half obeyed. */
  compile(schema: unknown, undeclared: Undeclared, param: string): Constraint;
  /** The one made last for this key, or a new one. */
  recall(key: string, make: () => Constraint): Constraint;
}

/** What becomes of properties that a schema neither declares nor forbids. */
export type Undeclared = 'allowed' | 'left-out';

/** With their token masks a few megabytes each at most; the one unused for longest goes. */
const mostKept = 32;

export function createCompiledShapes(): CompiledShapes {
  const kept = new Map<string, Constraint>();

  function recall(key: string, make: () => Constraint): Constraint {
    const constraint = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, constraint);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return constraint;
  }

  return {
    anyObject: compileAnyJsonObject(),
    compile: (schema, undeclared, param) =>
      recall(`schema ${undeclared} ${JSON.stringify(schema)}`, () => compile(schema, undeclared, param)),
    recall,
  };
}

export function shapeOf(shape: AnswerShape | undefined, shapes: CompiledShapes): Constraint | undefined {
  if (shape === undefined) return undefined;
  if (shape.kind === 'any-object') return shapes.anyObject;
  const undeclared = shape.isStrict ? 'left-out' : 'allowed';
  return shapes.compile(shape.schema, undeclared, 'response_format.json_schema.schema');
}

function compile(schema: unknown, undeclared: Undeclared, param: string): Constraint {
  try {
    return compileJsonSchema(schema, { closesOpenObjects: undeclared === 'left-out' });
  } catch (error) {
    if (!(error instanceof UnsupportedSchema)) throw error;
    throw new Refusal('unsupported_parameter', error.message, {
      param: `${param}${error.path}`,
      cause: error,
    });
  }
}
