import { Refusal } from '#vocabulary/refusal';
import type { RouteDefinition, RouteTable } from '#contract/route';

export interface Match {
  readonly name: string;
  readonly route: RouteDefinition;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Compiled {
  readonly name: string;
  readonly route: RouteDefinition;
  readonly method: string;
  readonly segments: readonly string[];
}

const accesses: ReadonlySet<unknown> = new Set(['anyone', 'person', 'administrator']);

/** A table with a route that does not say who may call it, or that nobody handles, does not start. */
export function createRouteMatcher(
  table: RouteTable,
  handlers: Readonly<Record<string, unknown>>,
): (method: string, path: string) => Match {
  const compiled = Object.entries(table).map(([name, route]): Compiled => {
    if (!accesses.has(route.access)) throw new TypeError(`${name} does not say who may call it`);
    if (typeof handlers[name] !== 'function') throw new TypeError(`nobody handles ${name}`);
    const [method = '', pattern = ''] = name.split(' ');
    return { name, route, method, segments: pattern.split('/') };
  });
  // A word beats a parameter at the same place.
  compiled.sort((a, b) => countParameters(a) - countParameters(b));

  return (method, path) => {
    const segments = path.split('/');
    const matches = compiled.filter((candidate) => fits(candidate.segments, segments));
    const match = matches.find((candidate) => candidate.method === method);
    if (match !== undefined) {
      const { name, route } = match;
      return { name, route, parameters: readParameters(match.segments, segments) };
    }
    if (matches.length === 0)
      throw new Refusal('not_found', 'There is nothing at this address of the console.');
    const allowed = [...new Set(matches.map((candidate) => candidate.method))].join(', ');
    throw new Refusal(
      'method_not_allowed',
      `This address of the console answers ${allowed}, not ${method}.`,
      {
        headers: { allow: allowed },
      },
    );
  };
}

function countParameters({ segments }: Compiled): number {
  return segments.filter((segment) => segment.startsWith(':')).length;
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((expected, index) => {
    const actual = segments[index] ?? '';
    return expected.startsWith(':') ? /^[\w.-]{1,64}$/.test(actual) : expected === actual;
  });
}

function readParameters(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    if (expected.startsWith(':')) parameters[expected.slice(1)] = segments[index] ?? '';
  }
  return parameters;
}
