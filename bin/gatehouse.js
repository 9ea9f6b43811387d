#!/usr/bin/env node
// Runs the program with the Node it was made for. Plain JavaScript, because the Node that reads this file may
// be an old one that cannot read TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestMajor = 26;
const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
/** Halves the time to start. Where it cannot be written nothing is lost. */
const compileCache = join(packageFolder, 'node_modules', '.cache', 'compiled');

if (Number(process.versions.node.split('.')[0]) >= oldestMajor) {
  nodeModule.enableCompileCache?.(compileCache);
  const { runCli } = await import('../src/cli/cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
} else {
  const node = pinnedNode();
  if (node === undefined) {
    process.stderr.write(
      `Gatehouse needs Node ${oldestMajor} or newer; this is ${process.version}. Run npm install in ${packageFolder}, which brings one on most machines.\n`,
    );
    process.exitCode = 1;
  } else {
    runWith(node);
  }
}

/** Beside our own packages, or among those of whoever installed us. */
function pinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const folders = [join(packageFolder, 'node_modules'), dirname(packageFolder)];
  return folders
    .flatMap((folder) =>
      ['node', 'node-bin'].map((name) => join(folder, `${name}-${system}-${process.arch}`)),
    )
    .map((folder) => join(folder, 'bin', system === 'win' ? 'node.exe' : 'node'))
    .find((file) => existsSync(file));
}

/** @param {string} node */
function runWith(node) {
  const program = join(packageFolder, 'src', 'cli', 'cli.ts');
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to the child itself.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (status, signal) => {
    if (signal === null) {
      process.exitCode = status ?? 1;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
