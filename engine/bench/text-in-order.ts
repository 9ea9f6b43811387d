import { isSpelledNumber } from './spelled-json.ts';
import type { ConstraintState } from '../constraint/constraint.ts';

/**
 * The text of a value with its properties in an order that the constraint takes, or undefined when there is
 * none. JSON gives no meaning to their order, the engine writes them as they are declared, and the suite's
 * instances come in any order.
 */
export function textInOrder(value: unknown, start: ConstraintState): string | undefined {
  const asIs = advance(JSON.stringify(value), start);
  const written = asIs?.state.isComplete === true ? asIs : write(value, start, new Map());
  return written?.state.isComplete === true ? written.text : undefined;
}

interface Written {
  readonly text: string;
  readonly state: ConstraintState;
}

/** What was tried already, by value and position: a value is tried again for every order of those around it. */
type Tried = Map<object, Map<number, Written | undefined>>;

function write(value: unknown, from: ConstraintState, tried: Tried): Written | undefined {
  if (typeof value !== 'object' || value === null || isSpelledNumber(value))
    return advance(JSON.stringify(value), from);
  const known = tried.get(value) ?? new Map<number, Written | undefined>();
  if (known.has(from.key)) return known.get(from.key);
  const written = Array.isArray(value)
    ? writeItems(value, from, tried)
    : writeMembers(Object.entries(value), from, tried);
  tried.set(value, known.set(from.key, written));
  return written;
}

function writeItems(items: readonly unknown[], from: ConstraintState, tried: Tried): Written | undefined {
  let written = advance('[', from);
  for (const [index, item] of items.entries()) {
    const separated = written && index > 0 ? follow(written, ',') : written;
    const next = separated && write(item, separated.state, tried);
    written = separated && next && { text: separated.text + next.text, state: next.state };
  }
  return written && follow(written, ']');
}

/** Next comes a member that no other one had to come before: none that could stand here is shut out by it. */
function writeMembers(
  members: readonly (readonly [string, unknown])[],
  from: ConstraintState,
  tried: Tried,
): Written | undefined {
  let written = advance('{', from);
  let left = members;
  while (written !== undefined && left.length > 0) {
    const before: Written = written;
    const separator = left === members ? '' : ',';
    const attempts = new Map<(typeof left)[number], Written | undefined>();
    const attempt = (member: (typeof left)[number]) => {
      if (!attempts.has(member)) attempts.set(member, writeMember(separator, member, before, tried));
      return attempts.get(member);
    };
    const shutsOutNone = (member: (typeof left)[number]) => {
      const after = attempt(member);
      const takes = ([name]: readonly [string, unknown]) =>
        after !== undefined && follow(after, `,${JSON.stringify(name)}`) !== undefined;
      return (
        after !== undefined &&
        left.every((other) => other === member || takes(other) || attempt(other) === undefined)
      );
    };
    const chosen = left.find(shutsOutNone) ?? left.find((member) => attempt(member) !== undefined);
    left = left.filter((member) => member !== chosen);
    written = chosen && attempt(chosen);
  }
  return written && follow(written, '}');
}

function writeMember(
  separator: string,
  [name, value]: readonly [string, unknown],
  before: Written,
  tried: Tried,
): Written | undefined {
  const key = follow(before, `${separator}${JSON.stringify(name)}:`);
  const written = key && write(value, key.state, tried);
  return key && written && { text: key.text + written.text, state: written.state };
}

function follow({ text, state }: Written, more: string): Written | undefined {
  const next = advance(more, state);
  return next && { text: text + next.text, state: next.state };
}

function advance(text: string, from: ConstraintState): Written | undefined {
  const state = from.acceptBytes(Buffer.from(text));
  return state && { text, state };
}
