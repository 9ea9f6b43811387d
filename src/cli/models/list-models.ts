import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  createModelFiles,
  inspectModelFile,
  type ModelFileEntry,
  type ModelInspection,
} from '#engine/model-files';
import { bytesInWords, parametersInWords } from './in-words.ts';
import { folderOptions, openModelsFolder } from './models-folder.ts';
import { settingsSnippet, suggestedId } from './settings-snippet.ts';

export async function listModels(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...folderOptions, json: { type: 'boolean', default: false } },
  });
  const { files, isUsual } = openModelsFolder(values);
  const pulled = await files.list();
  const builtIn = await createModelFiles({
    directory: builtInFolder,
    hub: { base: '', token: undefined },
  }).list();
  if (values.json) {
    process.stdout.write(`${JSON.stringify([...builtIn, ...pulled], undefined, 2)}\n`);
    return 0;
  }
  const blocks = [
    ...builtIn.map((entry) => `${entry.name} (built in), ${bytesInWords(entry.bytes)}\n  ${entry.path}`),
    ...(await Promise.all(pulled.map((entry) => describe(entry, isUsual)))),
  ];
  if (pulled.length === 0)
    blocks.push(
      `Nothing has been pulled into ${files.directory} yet.\nFetch a model with: gatehouse models pull hf:owner/repository/file.gguf`,
    );
  process.stdout.write(`${blocks.join('\n\n')}\n`);
  return 0;
}

const builtInFolder = fileURLToPath(new URL('../../../models', import.meta.url));

async function describe(entry: ModelFileEntry, isUsual: boolean): Promise<string> {
  const seen = await inspectModelFile(entry.path, { slots: 8 }).catch((error: unknown) => String(error));
  const origin =
    entry.record === undefined
      ? ['put here by hand, digest not known']
      : [`from ${entry.record.source}`, `sha256 ${entry.record.sha256}`];
  const lines = [`${entry.name}, ${bytesInWords(entry.bytes)}${wordsOf(seen)}`, `  ${entry.path}`];
  lines.push(...origin.map((line) => `  ${line}`));
  if (typeof seen === 'string') lines.push(`  ${seen}`);
  else {
    const snippet = settingsSnippet(
      isUsual ? entry.name : entry.path,
      suggestedId(entry.name),
      seen.template,
    );
    lines.push('  served by these settings:', snippet.replaceAll(/^/gm, '    '));
  }
  return lines.join('\n');
}

function wordsOf(seen: ModelInspection | string): string {
  if (typeof seen === 'string') return '';
  return `, ${parametersInWords(seen.parameters)} parameters, ${seen.quantisation}`;
}
