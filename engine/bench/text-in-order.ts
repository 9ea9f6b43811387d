import { isSpelledNumber } from './spelled-json.ts';
import type { ConstraintState } from '../constraint/constraint.ts';

/**
 * The text of a value with its properties in an order that the constraint takes, or undefined when there is
 * none. JSON gives no meaning to their order, the engine writes them as they are declared, and the suite's
 * instances come in any order.
 */
export function textInOrder(value: unknown, start: ConstraintState): string | undefined {
  const asIs = advance(JSON.stringify(value), start);
  const written = asIs?.state.isComplete === true ? asIs : write(value, start);
  return written?.state.isComplete === true ? written.text : undefined;
}

interface Written {
  readonly text: string;
  readonly state: ConstraintState;
}

function write(value: unknown, from: ConstraintState): Written | undefined {
  if (typeof value !== 'object' || value === null || isSpelledNumber(value))
    return advance(JSON.stringify(value), from);
  if (!Array.isArray(value)) return writeMembers(Object.entries(value), from);
  let written = advance('[', from);
  for (const [index, item] of value.entries()) {
    const separated = written && index > 0 ? follow(written, ',') : written;
    const next = separated && write(item, separated.state);
    written = separated && next && { text: separated.text + next.text, state: next.state };
  }
  return written && follow(written, ']');
}

/** Next comes a member that no other one had to come before: none that could stand here is shut out by it. */
function writeMembers(
  members: readonly (readonly [string, unknown])[],
  from: ConstraintState,
): Written | undefined {
  let written = advance('{', from);
  let left = members;
  while (written !== undefined && left.length > 0) {
    const before: Written = written;
    const separator = left === members ? '' : ',';
    const possible = left.flatMap((member) => {
      const after = writeMember(separator, member, before);
      return after === undefined ? [] : [{ member, after }];
    });
    const shutsOutNone = ({ member, after }: (typeof possible)[number]) =>
      possible.every(
        (other) =>
          other.member === member || follow(after, `,${JSON.stringify(other.member[0])}`) !== undefined,
      );
    const chosen = possible.find(shutsOutNone) ?? possible[0];
    left = left.filter((member) => member !== chosen?.member);
    written = chosen?.after;
  }
  return written && follow(written, '}');
}

function writeMember(
  separator: string,
  [name, value]: readonly [string, unknown],
  before: Written,
): Written | undefined {
  const key = follow(before, `${separator}${JSON.stringify(name)}:`);
  const written = key && write(value, key.state);
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
