import { choiceOf, type Expression, later, repeatOf, sequenceOf, unasked } from '../grammar/expression.ts';
import { freeString, type JsonText } from '../grammar/json-text.ts';
import { refuseTooComplex } from './refuse-too-complex.ts';
import type { Conjunction, FreeKeys, FreeNames, ObjectShape } from './shape.ts';
import { stringContent, stringOtherThan } from '../grammar/string-automaton.ts';
import { textOf } from '../grammar/text-automaton.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Counting makes a table of properties by counts: bounds its size. */
const maxCountedProperties = 200;
const [open, close] = [textOf('{'), textOf('}')];

/**
 * Declared properties in their order, each optional one written or skipped, then the free ones. Counting is only
 * done where `minProperties` or `maxProperties` ask for it; otherwise all that matters is whether a comma is due.
 */
export function objectExpression(
  shape: ObjectShape,
  json: JsonText,
  ruleFor: (conjunction: Conjunction) => Expression,
): Expression {
  const { minProperties, maxProperties, required } = shape;
  const properties = [...shape.properties].filter(
    ([, value]) => !value.some((node) => node.schema === false),
  );
  const names = new Set(properties.map(([name]) => name));
  if (!required.isSubsetOf(names)) return choiceOf([]);
  refuseUncountable(shape, properties.length);

  const isOpen = shape.freeKeys.length > 0;
  const counts =
    minProperties > required.size ||
    maxProperties < properties.length ||
    (isOpen && maxProperties < Infinity);
  const entries = shape.freeKeys.map((keys) => ({ ...keys, entry: freeEntry(keys, json, ruleFor) }));
  const free = (...before: readonly Expression[]) =>
    choiceOf(
      entries.map(({ entry, isUnasked }) => {
        const whole = sequenceOf([...before, entry]);
        return isUnasked ? unasked(whole) : whole;
      }),
    );
  const freeParts = { entries, comma: json.comma, first: free(), further: free(json.comma) };
  const members = properties
    .toReversed()
    .map(([name, value]) => ({ name, value: ruleFor(value), isRequired: required.has(name) }));
  const highest = counts ? properties.length : Math.min(1, properties.length);
  const endings = Array.from({ length: highest + 1 }, (_, count) => ending(shape, freeParts, count, counts));
  return counts || shape.soughtCount > 0
    ? inOrder(members, endings, json, maxProperties)
    : uncounted(members, endings, json);
}

interface Member {
  readonly name: string;
  readonly value: Expression;
  readonly isRequired: boolean;
}

/** Put together when one is written. Says itself how short it may be: what is required, and nothing else. */
function uncounted(members: readonly Member[], endings: readonly Expression[], json: JsonText): Expression {
  const required = members.filter(({ isRequired }) => isRequired);
  const fixedBytes = required.reduce(
    (sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + json.colon.minimumBytes,
    '{}'.length + Math.max(0, required.length - 1) * json.comma.minimumBytes,
  );
  return later(
    [...members.map(({ value }) => value), ...endings],
    () => required.reduce((sum, { value }) => sum + value.minimumBytes, fixedBytes),
    () => inOrder(members, endings, json, Infinity),
  );
}

/** From the last member to the first, each by the number of those before it, of which the last means "or more". */
function inOrder(
  members: readonly Member[],
  endings: readonly Expression[],
  json: JsonText,
  maxProperties: number,
): Expression {
  let after = endings;
  for (const { name, value, isRequired } of members) {
    const following = after;
    const member = sequenceOf([textOf(JSON.stringify(name)), json.colon, value]);
    after = following.map((skipped, count) => {
      const next = following[Math.min(count + 1, following.length - 1)] ?? skipped;
      const written = sequenceOf([...(count === 0 ? [] : [json.comma]), member, next]);
      const options = count >= maxProperties ? [] : [written];
      return choiceOf(isRequired ? options : [...options, skipped]);
    });
  }
  return sequenceOf([open, after[0] ?? choiceOf([])]);
}

interface FreeParts {
  readonly entries: readonly { readonly entry: Expression; readonly finds: readonly number[] }[];
  readonly comma: Expression;
  readonly first: Expression;
  readonly further: Expression;
}

/** The free properties and the closing brace, behind so many declared ones. */
function ending(shape: ObjectShape, free: FreeParts, count: number, counts: boolean): Expression {
  const { first, further } = free;
  const missing = counts ? shape.minProperties - count : 0;
  const room = counts ? shape.maxProperties - count : Infinity;
  if (room < 0 || missing > 1) return choiceOf([]);
  if (shape.soughtCount > 0) {
    const sought = Array.from({ length: shape.soughtCount }, (_, index) => index);
    return withSought(free, sought, count === 0, room);
  }
  if (shape.freeKeys.length === 0 || room === 0) return missing > 0 ? choiceOf([]) : close;
  if (count > 0) return sequenceOf([repeatOf(further, missing > 0 ? 1 : 0, room), close]);
  const some = sequenceOf([first, repeatOf(further, 0, room - 1), close]);
  return missing > 0 ? some : choiceOf([close, some]);
}

/** What is sought comes first: one property may be several of them at once. */
function withSought(free: FreeParts, sought: readonly number[], isFirst: boolean, room: number): Expression {
  if (sought.length === 0) return sequenceOf([repeatOf(free.further, 0, room), close]);
  if (room === 0) return choiceOf([]);
  const finding = free.entries.filter(({ finds }) => finds.some((one) => sought.includes(one)));
  return choiceOf(
    finding.map(({ entry, finds }) => {
      const left = sought.filter((one) => !finds.includes(one));
      const before = isFirst ? [] : [free.comma];
      return sequenceOf([...before, entry, withSought(free, left, false, room - 1)]);
    }),
  );
}

function freeEntry(
  { names, value }: FreeKeys,
  json: JsonText,
  ruleFor: (conjunction: Conjunction) => Expression,
): Expression {
  return sequenceOf([freeName(names, json, value), json.colon, ruleFor(value)]);
}

function freeName(names: FreeNames, json: JsonText, value: Conjunction): Expression {
  if (names.kind === 'any') return freeString(json, 0, Infinity);
  const content = refuseTooComplex(
    value[0],
    () =>
      names.kind === 'other-than'
        ? stringOtherThan(names.declared)
        : stringContent(names.language, 0, Infinity),
    'additionalProperties',
  );
  return sequenceOf([json.quote, content, json.quote]);
}

/** Free names may repeat, and a repeated name counts once: only one of them can be relied upon. */
function refuseUncountable(shape: ObjectShape, declaredCount: number): void {
  const path = shape.sources[0]?.path ?? '';
  if (shape.freeKeys.length > 0 && shape.minProperties > declaredCount + 1) {
    throw new UnsupportedSchema(
      'minProperties',
      path,
      'asks for more undeclared properties than can be told apart',
    );
  }
  const countsFar = shape.minProperties > shape.required.size || shape.maxProperties < declaredCount;
  if (countsFar && declaredCount > maxCountedProperties) {
    throw new UnsupportedSchema(
      'minProperties',
      path,
      `is too complex with more than ${maxCountedProperties} properties`,
    );
  }
}
