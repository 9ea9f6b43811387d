import type { TextAutomaton } from '../patterns/text-language.ts';
import type { SchemaNode, SomeProperty } from './schema-document.ts';
import { type Conjunction, conjunctionOf } from './shape.ts';
import type { TextRules } from './text-rules.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** A property that must be there, whatever its name is among these. */
export interface SoughtProperty {
  readonly names: TextAutomaton;
  readonly value: SchemaNode;
}

/** Names that nobody declared, what their values must be, and which sought properties they are, by number. */
export interface PartOfNames {
  readonly language: TextAutomaton;
  readonly value: Conjunction;
  readonly finds: readonly number[];
}

/** Each doubles the ways in which a name may be meant. */
const maxSought = 3;

export function soughtIn(
  sources: Conjunction,
  languageOf: (names: SchemaNode) => TextAutomaton,
): readonly SoughtProperty[] {
  const wanted: SomeProperty[] = sources.flatMap(({ someProperty }) => someProperty ?? []);
  if (wanted.length > maxSought)
    throw new UnsupportedSchema('not', sources[0]?.path ?? '', 'asks for too many undeclared properties');
  return wanted.map(({ names, value }) => ({ names: languageOf(names), value }));
}

/**
 * The same names in parts that are sought or are not. Whatever has a name that is sought must have its value too: a
 * name may be written twice, and the last one counts.
 */
export function partsOfNames(
  whole: { readonly language: TextAutomaton; readonly value: Conjunction },
  sought: readonly SoughtProperty[],
  { meet, without }: TextRules,
): readonly PartOfNames[] {
  let parts: readonly PartOfNames[] = [{ ...whole, finds: [] }];
  for (const [index, { names, value: node }] of sought.entries())
    parts = parts.flatMap(({ language, value, finds }) => [
      {
        language: meet(language, names, 'not', node),
        value: conjunctionOf([...value, node]),
        finds: [...finds, index],
      },
      { language: without(language, names, 'not', node), value, finds },
    ]);
  return parts;
}
