/**
 * The schema compiler against MaskBench, the public suite of JSON Schemas with valid and invalid instances
 * (the folder `maskbench/data` of the repository guidance-ai/jsonschemabench):
 *
 *   npm run bench:structured -- FOLDER [--strict] [--no-masks] [--only NAMES] [--report FILE]
 *
 * Instances are put into the declared order, which is the one the engine writes. `--strict` lets no undeclared
 * properties be written where a schema is silent about them, as `strict: true` does. `--only` names a file with the
 * names of some schemas, a line each.
 *
 * Prints how many schemas compile, which instances are taken and refused, and how long compiling and the mask
 * of each token of the valid instances take with the vocabulary of the model inside. `--report` writes one line
 * of JSON for each schema. Nothing of the suite is kept here.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  allowedTokens,
  compileJsonSchema,
  type Constraint,
  createTokenTable,
  type TokenTable,
  UnsupportedSchema,
} from '../constraint/constraint.ts';
import { parseSpelled } from './spelled-json.ts';
import { textInOrder } from './text-in-order.ts';
import { createLineLogger } from '../line-logger.ts';
import { loadModel } from '../native/loaded-model.ts';

interface SuiteCase {
  readonly schema: unknown;
  readonly tests?: readonly { readonly valid: boolean; readonly data: unknown }[];
}

interface Verdict {
  readonly file: string;
  readonly compileMs: number;
  /** The keyword to blame and the sentence; undefined when it compiled. */
  readonly refused: { readonly keyword: string; readonly message: string } | undefined;
  readonly valid: number;
  readonly accepted: number;
  /** Of these, the ones whose properties came in the declared order. */
  readonly asWritten: number;
  readonly invalid: number;
  readonly wronglyAccepted: number;
  /** 0 when none was made. */
  readonly slowestMaskMicros: number;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    masks: { type: 'boolean', default: true },
    strict: { type: 'boolean', default: false },
    only: { type: 'string' },
    report: { type: 'string' },
  },
  allowNegative: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder of the suite: npm run bench:structured -- FOLDER');

const vocabulary = options.masks ? await readVocabulary() : undefined;
const maskMicros: number[] = [];
if (options.report !== undefined) writeFileSync(options.report, '');
const chosen = options.only === undefined ? undefined : readFileSync(options.only, 'utf8').split('\n');
const verdicts = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && (chosen?.includes(name) ?? true))
  .sort()
  .map((file) => judge(file, readFileSync(join(folder, file), 'utf8')));
printTable(verdicts);

function judge(file: string, text: string): Verdict {
  const { schema } = JSON.parse(text) as SuiteCase;
  const { tests = [] } = parseSpelled(text) as SuiteCase;
  const { constraint, refused, micros } = compile(schema);
  const again = compile(schema);
  const compileMs = Math.min(micros, again.micros) / 1000;
  const textOf = ({ data }: { readonly data: unknown }): string | undefined =>
    constraint === undefined ? undefined : textInOrder(data, constraint.start());
  const valid = tests.filter((one) => one.valid);
  const invalid = tests.filter((one) => !one.valid);
  const accepted = valid.map(textOf).filter((written) => written !== undefined);
  let slowestMaskMicros = 0;
  if (constraint !== undefined && vocabulary !== undefined)
    for (const written of accepted) {
      const fresh = [again.constraint, compile(schema).constraint].filter((one) => one !== undefined);
      const [first = [], ...others] = [constraint, ...fresh].map((one) =>
        timeMasks(one, written, vocabulary),
      );
      for (const [index, micros] of first.entries()) {
        const fastest = Math.min(micros, ...others.map((other) => other[index] ?? micros));
        slowestMaskMicros = Math.max(slowestMaskMicros, Math.round(fastest));
        maskMicros.push(fastest);
      }
    }
  const verdict = {
    file,
    compileMs,
    refused,
    valid: valid.length,
    accepted: accepted.length,
    invalid: invalid.length,
    asWritten: valid.filter(({ data }) => accepted.includes(JSON.stringify(data))).length,
    wronglyAccepted: invalid.filter((one) => textOf(one) !== undefined).length,
    slowestMaskMicros,
  };
  if (options.report !== undefined) appendFileSync(options.report, `${JSON.stringify(verdict)}\n`);
  return verdict;
}

interface Compilation {
  readonly constraint?: Constraint;
  readonly refused: Verdict['refused'];
  readonly micros: number;
}

function compile(schema: unknown): Compilation {
  const elapsed = processorStopwatch();
  try {
    const constraint = compileJsonSchema(schema, { closesOpenObjects: options.strict });
    return { constraint, refused: undefined, micros: elapsed() };
  } catch (error) {
    if (!(error instanceof UnsupportedSchema)) throw error;
    return { refused: { keyword: error.keyword, message: error.message }, micros: elapsed() };
  }
}

/** Microseconds by the wall, for what is over before the system looks away. The fastest of three counts. */
function stopwatch(): () => number {
  const begunMs = performance.now();
  return () => (performance.now() - begunMs) * 1000;
}

/** Microseconds of processor time of this thread: the machine may be busy. The faster of two counts. */
function processorStopwatch(): () => number {
  const begun = processorMicros();
  return () => processorMicros() - begun;
}

/** The system brings a thread's time up to date when it pauses. */
function processorMicros(): number {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.02);
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

interface Vocabulary {
  readonly table: TokenTable;
  encode(text: string): readonly number[];
  bytesOf(token: number): Uint8Array;
}

/** As the engine does it: the mask before each token that is not forced, then on to the next position. */
function timeMasks(constraint: Constraint, text: string, { table, encode, bytesOf }: Vocabulary): number[] {
  const micros: number[] = [];
  let state = constraint.start();
  for (const token of encode(text)) {
    const masking = stopwatch();
    const allowed = allowedTokens(state, table);
    micros.push(masking());
    if (!allowed.has(token)) throw new Error(`A token of an accepted text is refused: ${text}`);
    const next = state.acceptBytes(bytesOf(token));
    if (next === undefined) throw new Error(`A token of an accepted text leads nowhere: ${text}`);
    state = next;
  }
  return micros;
}

async function readVocabulary(): Promise<Vocabulary> {
  const model = await loadModel({
    modelFile: fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url)),
    threads: 1,
    slots: 1,
    contextTokens: 128,
    gpu: 'off',
    logger: createLineLogger(process.stderr),
  });
  const { tokenizer } = model;
  return {
    table: createTokenTable(tokenizer.ordinaryBytes()),
    encode: (text) => tokenizer.encode(text, false),
    bytesOf: (token) => tokenizer.bytesOf(token),
  };
}

function printTable(all: readonly Verdict[]): void {
  const sum = (count: (verdict: Verdict) => number) => all.reduce((total, one) => total + count(one), 0);
  const compiled = all.filter(({ refused }) => refused === undefined);
  const passing = compiled.filter((one) => one.accepted === one.valid && one.wronglyAccepted === 0);
  const validCompiled = compiled.reduce((total, one) => total + one.valid, 0);
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;
  const spread = (figures: number[], digits: number): string => {
    const sorted = figures.toSorted((one, other) => one - other);
    const at = (fraction: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0).toFixed(digits);
    return `${at(0.5)} / ${at(0.9)} / ${at(0.99)} / ${at(0.999)} / ${at(1)}`;
  };
  const rows = [
    ['schemas that compile', share(compiled.length, all.length)],
    ['schemas without any fault', share(passing.length, all.length)],
    [
      'valid instances accepted',
      share(
        sum((one) => one.accepted),
        sum((one) => one.valid),
      ),
    ],
    [
      '… of schemas that compile',
      share(
        sum((one) => one.accepted),
        validCompiled,
      ),
    ],
    [
      '… with their properties in the declared order already',
      share(
        sum((one) => one.asWritten),
        validCompiled,
      ),
    ],
    [
      'invalid instances accepted',
      share(
        sum((one) => one.wronglyAccepted),
        sum((one) => one.invalid),
      ),
    ],
    [
      'compile ms, p50 / p90 / p99 / p99.9 / max',
      spread(
        compiled.map((one) => one.compileMs),
        2,
      ),
    ],
    ...(maskMicros.length === 0
      ? []
      : [[`mask µs of ${maskMicros.length} tokens, the same`, spread(maskMicros, 0)]]),
  ];
  process.stdout.write(
    `${cpus()[0]?.model}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  for (const [measure, figure] of rows) process.stdout.write(`| ${measure} | ${figure} |\n`);
  const blamed = Map.groupBy(
    all.flatMap(({ refused }) => (refused === undefined ? [] : [refused])),
    ({ keyword }) => keyword,
  );
  process.stdout.write('\nrefused by keyword:\n');
  for (const [keyword, list] of [...blamed].sort(([, one], [, other]) => other.length - one.length))
    process.stdout.write(
      `  ${String(list.length).padStart(5)} ${keyword === '' ? '(too complex, empty)' : keyword}\n`,
    );
}
