// `npm run lock`: brings the lock file up to date so that `npm ci` accepts it on every machine. npm leaves out
// optional packages that it cannot find, and then misses them: those we keep out on purpose (`overrides`), and
// those that a registry does not carry for other systems. The first are written as belonging to no system.
import { readFileSync, writeFileSync } from 'node:fs';

const home = new URL('../', import.meta.url);
const systems = { linux: 'linux', mac: 'darwin', win: 'win32' };
const { overrides } = read('package.json');
const lock = read('package-lock.json');
const { optionalDependencies } = lock.packages['node_modules/node-llama-cpp'];
for (const [name, version] of Object.entries(optionalDependencies)) {
  const [system, cpu] = name.split('/')[1].split('-');
  lock.packages[`node_modules/${name}`] ??=
    name in overrides
      ? { version: overrides[name], optional: true, os: ['none'] }
      : { version, cpu: [cpu], license: 'MIT', optional: true, os: [systems[system]] };
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync(new URL('package-lock.json', home), `${JSON.stringify(lock, null, 2)}\n`);

function read(file) {
  return JSON.parse(readFileSync(new URL(file, home), 'utf8'));
}
