// Runs before checks and tests. A default install leaves out what only they need (`omit` in .npmrc), which is
// more than the service itself; here it is added when something of it is missing or has another version.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const home = new URL('../', import.meta.url);
const wanted = ['package.json', 'web/package.json'].flatMap((file) =>
  Object.entries(read(file).devDependencies),
);
const missing = wanted.filter(([name, range]) => !range.endsWith(installedVersion(name)));
if (missing.length > 0) {
  process.stdout.write(
    `Installing what only checks and tests need, ${missing.length} packages and theirs.\n`,
  );
  const words = ['install', '--include=dev', '--ignore-scripts'];
  const { status } = spawnSync('npm', words, {
    cwd: home,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}

function installedVersion(name) {
  try {
    return read(`node_modules/${name}/package.json`).version;
  } catch {
    return 'none';
  }
}

function read(file) {
  return JSON.parse(readFileSync(new URL(file, home), 'utf8'));
}
