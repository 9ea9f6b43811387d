import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolderOf } from '#harness/cache-folder';
import type { Agent } from './agent.ts';

/** Git does not know this folder: agents are hundreds of megabytes, and nothing of them is part of the product. */
const folder = cacheFolderOf('agents');

/** Where the packages of all agents lie. Installed once, without running anything of theirs. */
export function bringAgents(agents: readonly Agent[]): string {
  const packages = join(folder, 'node_modules');
  const missing = agents.filter(({ program }) => !existsSync(join(packages, program)));
  if (missing.length === 0) return packages;
  process.stderr.write(`Bringing ${missing.map(({ name }) => name).join(', ')}: hundreds of megabytes.\n`);
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.assign({}, ...agents.map((agent) => agent.packages)) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return packages;
}

export function isHere(packages: string, { program }: Agent): boolean {
  return existsSync(join(packages, program));
}
