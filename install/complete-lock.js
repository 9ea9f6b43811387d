// `npm run lock`: brings the lock file up to date so that `npm ci` accepts it on every machine, and sees to it that
// whatever it installs is known by its digest. npm leaves out optional packages that it cannot find, and then misses
// them: those that `overrides` keeps out, on request (`opt-in`), because their digest is not known (`unverified`) or
// because nothing here uses them (`unneeded`).
// They are written as belonging to no system.
import { readFileSync, writeFileSync } from 'node:fs';

const home = new URL('../', import.meta.url);
const { overrides } = read('package.json');
const lock = read('package-lock.json');
const optionalDependencies = Object.assign(
  {},
  ...['node-llama-cpp', 'pdfjs-dist'].map(
    (name) => lock.packages[`node_modules/${name}`].optionalDependencies,
  ),
);
for (const name of Object.keys(optionalDependencies)) {
  const version = overrides[name];
  if (version !== undefined)
    lock.packages[`node_modules/${name}`] = { version, optional: true, os: ['none'] };
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync(new URL('package-lock.json', home), `${JSON.stringify(lock, null, 2)}\n`);

const missing = Object.keys(optionalDependencies).filter(
  (name) => !(`node_modules/${name}` in lock.packages),
);
if (missing.length > 0) {
  process.stderr.write(
    `The registry does not carry ${missing.join(', ')}. Keep them out with "0.0.0-unverified" in overrides.\n`,
  );
  process.exitCode = 1;
}

function read(file) {
  return JSON.parse(readFileSync(new URL(file, home), 'utf8'));
}
