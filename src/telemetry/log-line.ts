import { inspect } from 'node:util';

/** Fields of a log line as JSON, each with a comma before it. Never throws, whatever is in them. */
export function writeFields(fields: object): string {
  const plain = 'error' in fields || 'cause' in fields ? withErrors(fields) : fields;
  const json = stringify(plain) ?? stringify(inspected(plain)) ?? '{}';
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

function stringify(fields: object): string | undefined {
  try {
    return JSON.stringify(fields);
  } catch {
    return undefined;
  }
}

/** For what JSON cannot say: circles, large integers, objects that throw. */
function inspected(fields: object): object {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, inspectField(fields, name)]));
}

function inspectField(fields: object, name: string): string {
  try {
    return inspect(Reflect.get(fields, name), { breakLength: Infinity });
  } catch {
    return 'unreadable';
  }
}

function withErrors(fields: object & { error?: unknown; cause?: unknown }): object {
  const { error, cause } = fields;
  return {
    ...fields,
    ...(error instanceof Error && { error: describeError(error) }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

/** An error that is its own cause ends somewhere. */
const mostCauses = 8;

function describeError(error: Error): object {
  return {
    ...Object.fromEntries(Object.entries(error)),
    type: error.name,
    message: error.message,
    stack: stackOf(error, 0),
    cause: undefined,
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, mostCauses).map((each) => inspect(each, { depth: 0 })),
    }),
  };
}

function stackOf(error: Error, depth: number): string {
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  const { cause } = error;
  if (cause === undefined || depth >= mostCauses) return stack;
  return `${stack}\ncaused by: ${cause instanceof Error ? stackOf(cause, depth + 1) : inspect(cause)}`;
}
