import { parseArgs } from 'node:util';
import { inspectModelFile } from '#engine/model-files';
import { WrongUse } from '../command.ts';
import { bytesInWords, parametersInWords } from './in-words.ts';
import { folderOptions, openModelsFolder } from './models-folder.ts';
import { settingsSnippet, suggestedId } from './settings-snippet.ts';
import { createProgressDisplay } from './show-progress.ts';

export async function pullModel(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...folderOptions,
      name: { type: 'string' },
      sha256: { type: 'string' },
      replace: { type: 'boolean', default: false },
      'max-size': { type: 'string' },
    },
  });
  const [reference, ...others] = positionals;
  if (reference === undefined || others.length > 0)
    throw new WrongUse('Name one model, for example hf:owner/repository/file.gguf.');

  const { files, isUsual } = openModelsFolder(values);
  const display = createProgressDisplay('pulling', process.stderr, () => performance.now());
  const pulled = await files
    .pull(reference, {
      name: values.name,
      sha256: readDigest(values.sha256),
      mayReplace: values.replace,
      maxBytes: readGigabytes(values['max-size']),
      onProgress: display.show,
    })
    .finally(display.end);

  const [first] = pulled;
  if (first === undefined) return 1;
  const seen = await inspectModelFile(first.path, { slots: 8 });
  const name = first.path.slice(files.directory.length + 1);
  const verb = first.isNew ? 'Pulled' : 'Already here:';
  process.stdout
    .write(`${verb} ${name}, ${bytesInWords(seen.fileBytes)}, ${parametersInWords(seen.parameters)} parameters
  ${first.path}
${pulled.map(({ sha256 }) => `  sha256 ${sha256}`).join('\n')}

To serve it, put this into gatehouse.yaml:

${settingsSnippet(isUsual ? name : first.path, suggestedId(name), seen.template)}

It needs about ${bytesInWords(seen.memory.totalBytes)} of memory for ${seen.memory.slots} requests at once with ${seen.memory.contextTokens} tokens each.
`);
  return 0;
}

function readDigest(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const digest = text.replace(/^sha256:/, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new WrongUse('--sha256 takes 64 hexadecimal digits.');
  return digest;
}

function readGigabytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const gigabytes = Number(text.replace(/\s*GB$/i, ''));
  if (!(gigabytes > 0 && gigabytes <= 1e6)) throw new WrongUse('--max-size takes a number of gigabytes.');
  return gigabytes * 1e9;
}
