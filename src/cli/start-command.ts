import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

export const startCommand: Command = {
  name: 'start',
  summary: 'Start the service',
  usage: `Usage: gatehouse start [--settings FILE]

Starts the service and stays in the foreground. SIGTERM and SIGINT let running answers finish first, a
second one ends at once; SIGHUP reads models, engines and networks from the settings again.

  --settings FILE  read this file instead of gatehouse.yaml`,

  async run(args) {
    const { values } = parseArgs({ args: [...args], options: { settings: { type: 'string' } } });
    const { startGatehouse } = await import('../main.ts');
    if (values.settings !== undefined) process.env['GATEHOUSE_SETTINGS'] = values.settings;
    await startGatehouse();
    return 0;
  },
};
