import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

const longestWaitMs = 200_000;

export const restartCommand: Command = {
  name: 'restart',
  summary: 'Restart the running service without losing an answer',
  usage: `Usage: gatehouse restart [--settings FILE]

Starts a new process of the service that runs on this machine, with the program and the settings as they
are now. When the new one serves, the old one takes no new callers, lets its answers finish (setting
restartDrain) and ends. When the new one does not start, the old one goes on, and the reason is told.

Also under systemd, with the unit of this version. Not in a container: it ends with its first process.

  --settings FILE  read this file instead of gatehouse.yaml`,

  async run(args) {
    const { values } = parseArgs({ args: [...args], options: { settings: { type: 'string' } } });
    if (values.settings !== undefined) process.env['GATEHOUSE_SETTINGS'] = values.settings;
    const { loadSettings } = await import('#settings');
    const { settings } = loadSettings({ environment: process.env, workingDirectory: process.cwd() });
    const { findServing, forgetResult, readResult } = await import('../serving-process.ts');
    const processId = findServing(settings.dataDir);
    if (processId === undefined)
      return fail('No service runs from this data folder. Start it: gatehouse start');
    forgetResult(settings.dataDir, processId);
    process.kill(processId, 'SIGUSR2');
    for (let waitedMs = 0; waitedMs < longestWaitMs; waitedMs += 100) {
      await sleep(100);
      const result = readResult(settings.dataDir, processId);
      if (result === undefined) continue;
      forgetResult(settings.dataDir, processId);
      if (!result.isDone) return fail(`Not restarted, the service goes on as it was: ${result.reason}`);
      process.stdout.write(`Process ${result.processId} serves. ${result.note}\n`);
      return 0;
    }
    return fail('The service has not answered in time. Its log says more.');
  },
};

function fail(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
