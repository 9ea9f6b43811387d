import type { z } from 'zod';

/**
 * The words in which the settings are declared. One table of these (settings-table.ts) is the only source:
 * the loader, `gatehouse settings`, the JSON Schema and docs/settings.md are all read from it.
 */
export type Fields = Readonly<Record<string, Knob<unknown> | Section<Fields> | Entries<Fields>>>;

/** One value with a name, a meaning and a check. */
export interface Knob<Value> {
  readonly kind: 'knob';
  readonly meaning: string;
  readonly check: Check<Value>;
  /** As a person would write it; read through the same check. Undefined: nothing unless somebody writes it. */
  readonly fallback: unknown;
  readonly isRequired: boolean;
  /** Masked wherever it is shown; may be `${NAME}` or come from a file named by the sibling `…File`. */
  readonly isSecret: boolean;
  /** Variables that set it, the strongest first. Empty: named after its place in the file. */
  readonly environment: readonly EnvironmentName[];
  /** What a change in a running service does. */
  readonly change: 'live' | 'restart';
}

export interface EnvironmentName {
  readonly name: string;
  /** For a variable that sets only a part: puts its text onto the value that would hold without it. */
  readonly onto?: (text: string, beneath: unknown) => unknown;
}

/** A group of knobs with a name of its own. */
export interface Section<Inner extends Fields> {
  readonly kind: 'section';
  readonly meaning: string;
  readonly fields: Inner;
}

/** A list of groups, such as the models. */
export interface Entries<Inner extends Fields> {
  readonly kind: 'entries';
  readonly meaning: string;
  readonly fields: Inner;
  /** An entry written as bare text stands for this field alone. */
  readonly shorthand: string | undefined;
  readonly fallback: readonly unknown[];
  /** For the document, where the fallback would be long. */
  readonly fallbackWords: string | undefined;
  /** A variable with a comma-separated list of the shorthand. */
  readonly environment: string | undefined;
  readonly change: 'live' | 'restart';
}

/** Turns what is written into what the program uses, or says why not. */
export interface Check<Value> {
  /** Input is what the file holds. Custom messages are sentences without the knob's name. */
  readonly schema: z.ZodType<Value>;
  /** Completes "Write …": a noun phrase with an example. */
  readonly form: string;
  /** What the file would hold for this text of an environment variable. */
  readonly fromText: (text: string) => unknown;
  /** Relative paths are taken from the folder of whoever wrote them. */
  readonly isPath?: boolean;
  /** Of a secret: `${NAME}` may also stand inside it, and is put there percent-encoded. */
  readonly isAddress?: boolean;
}

export type ValuesOf<Table extends Fields> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

type ValueOf<Field> =
  Field extends Knob<infer Value>
    ? Value
    : Field extends Section<infer Inner>
      ? ValuesOf<Inner>
      : Field extends Entries<infer Inner>
        ? readonly ValuesOf<Inner>[]
        : never;

interface KnobWords {
  readonly meaning: string;
  readonly environment?: readonly EnvironmentName[];
  readonly change?: 'live' | 'restart';
}

export function knob<Value>(check: Check<Value>, words: KnobWords & { fallback: unknown }): Knob<Value> {
  return { ...plainKnob(words), check, fallback: words.fallback };
}

export function requiredKnob<Value>(check: Check<Value>, words: KnobWords): Knob<Value> {
  return { ...plainKnob(words), check, isRequired: true };
}

export function optionalKnob<Value>(check: Check<Value>, words: KnobWords): Knob<Value | undefined> {
  return { ...plainKnob(words), check };
}

export function secretKnob(check: Check<string>, words: KnobWords): Knob<string | undefined> {
  return { ...plainKnob(words), check, isSecret: true };
}

export function requiredSecretKnob(check: Check<string>, words: KnobWords): Knob<string> {
  return { ...plainKnob(words), check, isSecret: true, isRequired: true };
}

export function section<Inner extends Fields>(meaning: string, fields: Inner): Section<Inner> {
  return { kind: 'section', meaning, fields };
}

export function entries<Inner extends Fields>(
  fields: Inner,
  words: {
    readonly meaning: string;
    readonly fallback: readonly unknown[];
    readonly shorthand?: string;
    readonly fallbackWords?: string;
    readonly environment?: string;
    readonly change?: 'live' | 'restart';
  },
): Entries<Inner> {
  return {
    kind: 'entries',
    meaning: words.meaning,
    fields,
    shorthand: words.shorthand,
    fallback: words.fallback,
    fallbackWords: words.fallbackWords,
    environment: words.environment,
    change: words.change ?? 'restart',
  };
}

function plainKnob(words: KnobWords) {
  return {
    kind: 'knob' as const,
    meaning: words.meaning,
    fallback: undefined,
    isRequired: false,
    isSecret: false,
    environment: words.environment ?? [],
    change: words.change ?? ('restart' as const),
  };
}

/** `limits.maxBody` → `GATEHOUSE_LIMITS_MAX_BODY`, unless the table names another. */
export function environmentNamesOf(path: string, { environment }: Knob<unknown>): readonly EnvironmentName[] {
  if (environment.length > 0) return environment;
  const words = path.replaceAll('.', '_').replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return [{ name: `GATEHOUSE_${words.toUpperCase()}` }];
}
