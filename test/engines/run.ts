/**
 * The engines that this service stands before, as their makers ship them, each with the pocket model behind both
 * doors. `npm run test:engines` runs this file; names of kinds after `--` choose some of them, and `--record` writes
 * their answers down for the ordinary tests. Packages go into a folder that git does not know, and nothing of them
 * into the product. Ends with 77 where an engine cannot be had, after saying why.
 */
import { spawnSync } from 'node:child_process';
import { engineKinds } from './kinds/engine-kinds.ts';

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('--'));
const chosen = words.filter((word) => !word.startsWith('--'));
const program = new URL('prove-engine.ts', import.meta.url).pathname;

/** One after the other, each in a process of its own: an engine wants the machine for itself. */
const endings = (chosen.length > 0 ? chosen : Object.keys(engineKinds)).map(
  (kind) =>
    spawnSync(process.execPath, ['--test-reporter=spec', program, kind, ...flags], { stdio: 'inherit' })
      .status ?? 1,
);
process.exitCode = endings.find((status) => status !== 0 && status !== 77) ?? Math.max(0, ...endings);
