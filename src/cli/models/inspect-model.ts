import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inspectModelFile, type ModelInspection } from '#engine/model-files';
import { WrongUse } from '../command.ts';
import { bytesInWords, inColumns, parametersInWords } from './in-words.ts';
import { folderOptions, openModelsFolder } from './models-folder.ts';

export async function inspectModel(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...folderOptions,
      slots: { type: 'string', default: '8' },
      context: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new WrongUse('Name one file to inspect.');
  const seen = await inspectModelFile(await locate(file, values), {
    slots: readCount('--slots', values.slots),
    contextTokens: values.context === undefined ? undefined : readCount('--context', values.context),
  });
  process.stdout.write(values.json ? `${JSON.stringify(seen, undefined, 2)}\n` : `${inWords(seen)}\n`);
  return 0;
}

/** A pulled file is known by its bare name; everything else is a path. */
async function locate(file: string, values: Parameters<typeof openModelsFolder>[0]): Promise<string> {
  if (/[\\/]/.test(file)) return resolve(file);
  const pulled = await openModelsFolder(values).files.list();
  return pulled.find(({ name }) => name === file)?.path ?? resolve(file);
}

function inWords(seen: ModelInspection): string {
  const { memory, template } = seen;
  return inColumns([
    ['file', `${seen.path} (${bytesInWords(seen.fileBytes)})`],
    ['name', seen.name ?? 'none given'],
    ['licence', seen.license ?? 'none given'],
    ['architecture', `${seen.architecture}${seen.layers === undefined ? '' : `, ${seen.layers} layers`}`],
    ['parameters', parametersInWords(seen.parameters)],
    ['quantisation', seen.quantisation],
    ['context', seen.contextTokens === undefined ? 'not stated' : `${seen.contextTokens} tokens`],
    ['vocabulary', seen.vocabularySize === undefined ? 'not stated' : `${seen.vocabularySize} tokens`],
    ['chat template', template === undefined ? 'none: only text completion' : abilities(template)],
    [
      'memory',
      `about ${bytesInWords(memory.totalBytes)} for ${memory.slots} requests at once with ${memory.contextTokens} tokens each`,
    ],
    [
      '',
      `weights ${bytesInWords(memory.weightBytes)}, cache ${bytesInWords(memory.cacheBytes)}, work ${bytesInWords(memory.workBytes)}`,
    ],
  ]);
}

function abilities(template: NonNullable<ModelInspection['template']>): string {
  const known = [
    template.knowsTools ? 'tools' : '',
    template.knowsThinking ? 'thinking' : '',
    template.knowsReasoningEffort ? 'reasoning effort' : '',
  ].filter((word) => word !== '');
  return known.length === 0 ? 'yes, without tools or thinking' : `yes, with ${known.join(', ')}`;
}

function readCount(option: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new WrongUse(`${option} takes a whole number above zero.`);
  return count;
}
