import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

export const settingsCommand: Command = {
  name: 'settings',
  summary: 'Show the settings in effect and where each came from',
  usage: `Usage: gatehouse settings [--settings FILE] [--schema | --document]

Checks the settings and prints them as a settings file, with the source of each value behind it and
secrets masked. With mistakes it prints them all and ends with status 78.

  --settings FILE  read this file instead of gatehouse.yaml
  --schema         print the JSON Schema of a settings file, for editors
  --document       print the description of every setting, in Markdown`,

  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        settings: { type: 'string' },
        schema: { type: 'boolean', default: false },
        document: { type: 'boolean', default: false },
      },
    });
    process.stdout.write(await textFor(values));
    return 0;
  },
};

async function textFor(asked: {
  settings?: string | undefined;
  schema: boolean;
  document: boolean;
}): Promise<string> {
  const { loadSettings, settingsDocument, settingsJsonSchema, showSettings } = await import('#settings');
  if (asked.schema) return `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`;
  if (asked.document) return settingsDocument();
  return showSettings(
    loadSettings({ file: asked.settings, environment: process.env, workingDirectory: process.cwd() }),
  );
}
