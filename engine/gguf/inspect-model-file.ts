import { OperatorProblem } from '#vocabulary/operator-problem';
import { checkModelFile } from './check-model-file.ts';
import { estimateMemory, type MemoryEstimate } from './estimate-memory.ts';
import { fileTypeName } from './gguf-types.ts';
import { shardPaths } from '../model-files/model-shards.ts';
import type { GgufValue } from './parse-gguf.ts';
import { type GgufHeader, readGgufHeader } from './read-gguf-header.ts';

/** What a model file says about itself, read from its header alone. */
export interface ModelInspection {
  readonly path: string;
  readonly fileBytes: number;
  readonly name: string | undefined;
  readonly license: string | undefined;
  readonly architecture: string;
  readonly parameters: number;
  readonly quantisation: string;
  readonly contextTokens: number | undefined;
  readonly layers: number | undefined;
  readonly vocabularySize: number | undefined;
  readonly template: TemplateAbilities | undefined;
  readonly memory: MemoryEstimate;
}

export interface TemplateAbilities {
  readonly knowsTools: boolean;
  readonly knowsThinking: boolean;
  readonly knowsReasoningEffort: boolean;
}

export interface InspectOptions {
  readonly slots: number;
  /** Per slot; undefined: as the engine chooses by itself. */
  readonly contextTokens?: number | undefined;
}

export async function inspectModelFile(path: string, options: InspectOptions): Promise<ModelInspection> {
  const headers = await Promise.all(shardPaths(path).map(readSound));
  const first = headers[0] as GgufHeader;
  const { metadata } = first;
  const architecture = textOf(metadata.get('general.architecture')) ?? 'unknown';
  const numberAt = (key: string) => numberOf(metadata.get(`${architecture}.${key}`));
  const contextTokens = numberAt('context_length');
  const fileType = numberOf(metadata.get('general.file_type'));
  const weightBytes = sum(headers.map((header) => header.weightBytes ?? header.fileBytes));
  return {
    path,
    fileBytes: sum(headers.map((header) => header.fileBytes)),
    name: textOf(metadata.get('general.name')),
    license: textOf(metadata.get('general.license')),
    architecture,
    parameters: sum(headers.map((header) => header.parameters)),
    quantisation: (fileType === undefined ? undefined : fileTypeName(fileType)) ?? first.mainTensorType,
    contextTokens,
    layers: numberAt('block_count'),
    vocabularySize: vocabularySize(metadata, numberAt('vocab_size')),
    template: readTemplate(metadata.get('tokenizer.chat_template')),
    memory: estimateMemory(metadata, architecture, {
      weightBytes,
      slots: options.slots,
      contextTokens: options.contextTokens ?? Math.min(contextTokens ?? 2048, usualContextTokens),
    }),
  };
}

/** What the embedded engine takes when nobody says otherwise, or less where the model knows less. */
const usualContextTokens = 8192;

async function readSound(path: string): Promise<GgufHeader> {
  const check = await checkModelFile(path);
  if (!check.isSound) throw new OperatorProblem(check.problem);
  return readGgufHeader(path);
}

function readTemplate(template: GgufValue | undefined): TemplateAbilities | undefined {
  if (typeof template !== 'string') return undefined;
  return {
    knowsTools: /\btools\b/.test(template),
    knowsThinking: /<think>|enable_thinking|reasoning_content|<\|channel\|>/.test(template),
    knowsReasoningEffort: template.includes('reasoning_effort'),
  };
}

function vocabularySize(
  metadata: ReadonlyMap<string, GgufValue>,
  stated: number | undefined,
): number | undefined {
  const tokens = metadata.get('tokenizer.ggml.tokens');
  return typeof tokens === 'object' ? tokens.length : stated;
}

function textOf(value: GgufValue | undefined): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value.slice(0, 200).replaceAll(/\p{Cc}/gu, ' ')
    : undefined;
}

function numberOf(value: GgufValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
