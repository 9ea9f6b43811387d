import { z } from 'zod';
import type { Check } from './knob.ts';

/** The leaf checks of the settings table: each reads one written form and says how it should look. */

export function text(form: string, pattern?: RegExp): Check<string> {
  const schema = z.string().min(1);
  return { schema: pattern === undefined ? schema : schema.regex(pattern), form, fromText: (it) => it };
}

/** May be empty. */
export const freeText: Check<string> = {
  schema: z.string().max(1000),
  form: 'a sentence of at most 1000 characters',
  fromText: (it) => it,
};

export function wholeNumber(min: number, max: number): Check<number> {
  return {
    schema: z.int().min(min).max(max),
    form: `a whole number from ${min} to ${max}`,
    fromText: numberFromText,
  };
}

export function numberWithin(min: number, max: number): Check<number> {
  return {
    schema: z.number().min(min).max(max),
    form: `a number from ${min} to ${max}`,
    fromText: numberFromText,
  };
}

/** A whole number, or the word `auto`. */
export function autoOrWholeNumber(min: number, max: number): Check<number | 'auto'> {
  return {
    schema: z.union([z.literal('auto'), z.int().min(min).max(max)]),
    form: `\`auto\` or a whole number from ${min} to ${max}`,
    fromText: (it) => (it === 'auto' ? it : numberFromText(it)),
  };
}

export const flag: Check<boolean> = {
  schema: z.boolean(),
  form: '`true` or `false`',
  fromText: (it) => ({ true: true, false: false, yes: true, no: false, on: true, off: false })[it] ?? it,
};

export function choice<const Word extends string>(...words: Word[]): Check<Word> {
  return {
    schema: z.enum(words),
    form: `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    fromText: (it) => it,
  };
}

const durationUnitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds. */
export function duration(minMs: number, maxMs: number, example: string): Check<number> {
  return {
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?(ms|s|m|h|d|w)$/)
      .transform((written) => {
        const [, amount, unit] = /^([\d.]+)(\D+)$/.exec(written) ?? [];
        return Math.round(Number(amount) * (durationUnitsMs[unit ?? ''] ?? Number.NaN));
      })
      .pipe(z.number().min(minMs).max(maxMs)),
    form: `a duration from ${showDuration(minMs)} to ${showDuration(maxMs)}, such as \`${example}\``,
    fromText: (it) => it,
  };
}

/** A day of UTC; its last millisecond, since the epoch. */
export const date: Check<number> = {
  schema: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
    .transform((written) => Date.parse(`${written}T23:59:59.999Z`))
    .pipe(z.number()),
  form: 'a day such as `2027-02-28`',
  fromText: (it) => it,
};

/** A duration, or `off` (0 ms for the program). */
export function durationOrOff(minMs: number, maxMs: number, example: string): Check<number> {
  const { schema, form } = duration(minMs, maxMs, example);
  return {
    schema: z.union([z.literal('off').transform(() => 0), schema]),
    form: `\`off\` or ${form}`,
    fromText: (it) => it,
  };
}

const sizeUnitsBytes: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1000,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** Bytes. */
export function size(minBytes: number, maxBytes: number, example: string): Check<number> {
  return {
    schema: z
      .union([z.int(), z.string().regex(/^\d+(\.\d+)? ?(B|KB|MB|GB|KiB|MiB|GiB)?$/)])
      .transform((written) => {
        const [, amount, unit] = /^([\d.]+) ?(\D*)$/.exec(String(written)) ?? [];
        return Math.floor(Number(amount) * (sizeUnitsBytes[unit ?? ''] ?? Number.NaN));
      })
      .pipe(z.number().min(minBytes).max(maxBytes)),
    form: `a size from ${showSize(minBytes)} to ${showSize(maxBytes)}, such as \`${example}\` or a number of bytes`,
    fromText: (it) => it,
  };
}

/** Bytes, or the word `auto`. */
export function autoOrSize(minBytes: number, maxBytes: number, example: string): Check<number | 'auto'> {
  const { schema, form } = size(minBytes, maxBytes, example);
  return {
    schema: z.union([z.literal('auto'), schema]),
    form: `\`auto\` or ${form}`,
    fromText: (it) => it,
  };
}

/** A list; in a variable its items stand between commas, and `none` is the empty list. */
export function listOf<Item>(item: Check<Item>): Check<readonly Item[]> {
  return {
    schema: z.array(item.schema),
    form: `a list, each item ${item.form}`,
    fromText: listFromText,
  };
}

export function listFromText(written: string): readonly string[] {
  if (written.trim() === 'none') return [];
  return written
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export const filePath: Check<string> = { ...text('the path of a file'), isPath: true };

export const folderPath: Check<string> = { ...text('the path of a folder'), isPath: true };

export const numbersByName: Check<Readonly<Record<string, number>>> = {
  schema: z.record(z.string(), z.number()),
  form: 'names with numbers, such as `temperature: 0.2`',
  fromText: (it) => it,
};

export const valuesByName: Check<Readonly<Record<string, unknown>>> = {
  schema: z.record(z.string(), z.unknown()),
  form: 'names with values, such as `enable_thinking: false`',
  fromText: (it) => it,
};

export const textsByName: Check<Readonly<Record<string, string>>> = {
  schema: z.record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), z.string().regex(/^[\x20-\x7e]{0,1000}$/)),
  form: 'names with texts of plain characters, such as `X-Site: campus`',
  fromText: (it) => it,
};

const tokens = z.int().min(0).max(1_000_000);

export const tokensByEffort: Check<Readonly<Record<'low' | 'medium' | 'high', number>>> = {
  schema: z.strictObject({ low: tokens, medium: tokens, high: tokens }),
  form: 'the three numbers `low`, `medium` and `high`',
  fromText: (it) => it,
};

function numberFromText(written: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : written;
}

function showDuration(ms: number): string {
  for (const unit of ['w', 'd', 'h', 'm', 's']) {
    const unitMs = durationUnitsMs[unit] ?? 1;
    if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  }
  return `${ms}ms`;
}

function showSize(bytes: number): string {
  for (const unit of ['GiB', 'MiB', 'KiB']) {
    const unitBytes = sizeUnitsBytes[unit] ?? 1;
    if (bytes >= unitBytes && bytes % unitBytes === 0) return `${bytes / unitBytes}${unit}`;
  }
  return `${bytes}B`;
}
