import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a machine must have for these tests, or a sentence for each thing it lacks. */
export function missingPrerequisites(): string[] {
  if (process.platform !== 'linux') return ['Linux, because the hosts are network namespaces'];
  const missing: string[] = [];
  if (process.getuid?.() !== 0) missing.push('root, to make network namespaces and to listen on port 443');
  const absent = absentPrograms();
  if (absent.length > 0 && missing.length === 0) installByApt(absent);
  missing.push(
    ...absentPrograms().map(([program, packageName]) => `${program} (Debian package ${packageName})`),
  );
  return missing.length > 0 ? missing : refusedByKernel();
}

const programs: readonly (readonly [program: string, packageName: string])[] = [
  ['ip', 'iproute2'],
  ['iptables', 'iptables'],
  ['ssh', 'openssh-client'],
  ['ssh-keygen', 'openssh-client'],
  ['sshd', 'openssh-server'],
  ['sshuttle', 'sshuttle'],
  ['nginx', 'nginx-light'],
  ['curl', 'curl'],
  ['openssl', 'openssl'],
];

/** Debian keeps servers where only root's shell looks. */
export const searchPath = [process.env['PATH'] ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(
  delimiter,
);

function absentPrograms(): typeof programs {
  return programs.filter(
    ([program]) => !searchPath.split(delimiter).some((folder) => isProgram(folder, program)),
  );
}

function isProgram(folder: string, program: string): boolean {
  try {
    accessSync(join(folder, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs programs only: the policy file keeps Debian from starting the servers among them. */
function installByApt(absent: typeof programs): void {
  if (!existsSync('/usr/bin/apt-get')) return;
  const packages = [...new Set(absent.map(([, packageName]) => packageName))];
  process.stderr.write(`Installing ${packages.join(', ')} with apt-get.\n`);
  const hadPolicy = existsSync(startPolicy);
  if (!hadPolicy) writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const install = ['install', '--yes', '--no-install-recommends', ...packages];
    if (!aptGet(install)) {
      aptGet(['update']);
      aptGet(install);
    }
  } finally {
    if (!hadPolicy) rmSync(startPolicy, { force: true });
  }
}

const startPolicy = '/usr/sbin/policy-rc.d';

function aptGet(words: readonly string[]): boolean {
  const env = { ...process.env, PATH: searchPath, DEBIAN_FRONTEND: 'noninteractive' };
  return (
    spawnSync('apt-get', ['--quiet', ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  );
}

/** Containers often may not do what root may do; sshuttle needs address translation. */
function refusedByKernel(): string[] {
  const name = `gatehouse-${process.pid}-trial`;
  const attempts: readonly (readonly [what: string, command: string])[] = [
    ['permission to make network namespaces', `ip netns add ${name}`],
    ['virtual Ethernet (veth) in the kernel', `ip -n ${name} link add trial type veth peer name peer`],
    ['bridges in the kernel', `ip -n ${name} link add bridge type bridge`],
    ['address translation (iptables -t nat) in the kernel', `ip netns exec ${name} iptables -w -t nat -L -n`],
  ];
  try {
    const failed = attempts.find(([, command]) => {
      const [program = '', ...words] = command.split(' ');
      return spawnSync(program, words, { env: { ...process.env, PATH: searchPath } }).status !== 0;
    });
    return failed === undefined ? [] : [failed[0]];
  } finally {
    spawnSync('ip', ['netns', 'del', name], { env: { ...process.env, PATH: searchPath } });
  }
}
