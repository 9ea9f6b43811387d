import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram, systemProgram } from '#harness/system-programs';
import { waitUntil } from '#harness/wait-until';

const repository = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const systemd = '/lib/systemd/systemd';

/** A real systemd in namespaces of its own: its processes and its files are its own, the network is that of the test. */
export interface OwnSystemd {
  /** Runs a command among its processes and files, as root there. */
  run(...words: string[]): { readonly status: number | null; readonly output: string };
  stop(): Promise<void>;
}

/** Undefined where this machine does not let us have one. */
export async function startOwnSystemd(files: {
  readonly units: readonly string[];
  readonly settings: string;
}): Promise<OwnSystemd | undefined> {
  // One that already runs this machine has the control groups, and would be disturbed.
  if (process.getuid?.() !== 0 || existsSync('/run/systemd/system') || !existsSync('/sys/fs/cgroup'))
    return undefined;
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-systemd-'));
  writeFileSync(join(home, 'console'), '');
  writeFileSync(join(home, 'gatehouse.yaml'), files.settings);
  writeFileSync(join(home, 'begin.sh'), beginning(home, files.units));
  const namespaces = ['--pid', '--fork', '--kill-child', '--mount', '--cgroup', '--ipc', '--uts'];
  const outside = spawn(systemProgram('unshare'), [...namespaces, 'sh', join(home, 'begin.sh')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  outside.stderr.on('data', (part: Buffer) => (complaint += part.toString()));
  const cleanUp = () => {
    rmSync(home, { recursive: true, force: true });
    removeGroups();
  };
  const run = (...words: string[]) => {
    const inside = childOf(outside);
    if (inside === undefined) return { status: 1, output: 'systemd has ended' };
    return runProgram('nsenter', [
      '--target',
      inside,
      '--pid',
      '--mount',
      '--cgroup',
      '--ipc',
      '--uts',
      ...words,
    ]);
  };
  try {
    await waitUntil('systemd answers', () => {
      if (outside.exitCode !== null) throw new Error(complaint);
      return run('systemctl', 'show', '--property=Version').status === 0;
    });
  } catch (problem) {
    process.stderr.write(`systemd does not run in namespaces here: ${String(problem)}\n`);
    outside.kill('SIGKILL');
    cleanUp();
    return undefined;
  }
  return {
    run,
    async stop() {
      const ended = once(outside, 'exit');
      outside.kill('SIGKILL');
      await ended;
      cleanUp();
    },
  };
}

/**
 * The machine as an operator has made it: the program under /opt, its user, its settings and its units. Nothing of the
 * machine beneath it may be touched: every folder that is written has a layer in memory, and no unit but ours exists.
 */
function beginning(home: string, units: readonly string[]): string {
  const deploy = '/opt/gatehouse/deploy/systemd';
  const empty = '[Unit]\\nDefaultDependencies=no\\n';
  return `set -eu
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/test /run/units /run/generators
mount --bind "${home}" /run/test
for folder in etc opt var usr/local/bin; do
  mkdir -p "/run/over/$folder/up" "/run/over/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=/run/over/$folder/up,workdir=/run/over/$folder/work" "/$folder"
done
mkdir -p /opt/gatehouse /etc/gatehouse
mount --bind "${repository}" /opt/gatehouse
mount -t tmpfs -o mode=1777 tmpfs /tmp
echo 'gatehouse:x:9876:9876::/var/lib/gatehouse:/usr/sbin/nologin' >> /etc/passwd
echo 'gatehouse:x:9876:' >> /etc/group
install -m 0644 /run/test/gatehouse.yaml /etc/gatehouse/gatehouse.yaml
install -m 0755 ${deploy}/gatehouse.sh /usr/local/bin/gatehouse
for target in quiet sysinit basic shutdown network network-online time-sync multi-user; do
  printf '${empty}' > /run/units/$target.target
done
cp ${units.map((unit) => `${deploy}/${unit}`).join(' ')} /run/units/
mount --bind /run/test/console /dev/console
export container=other SYSTEMD_UNIT_PATH=/run/units SYSTEMD_GENERATOR_PATH=/run/generators
exec ${systemd} --system --unit=quiet.target --log-target=console --show-status=false
`;
}

/** The number, seen from here, of the process that is the first one inside. */
function childOf({ pid = 0 }: ChildProcess): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] || undefined;
  } catch {
    return undefined;
  }
}

/** What systemd made in the control groups of this machine, where nobody else makes such. */
function removeGroups(): void {
  for (const hierarchy of ['', ...readdirSync('/sys/fs/cgroup')])
    for (const name of ['init.scope', 'system.slice', 'user.slice'])
      spawnSync('find', [
        join('/sys/fs/cgroup', hierarchy, name),
        '-depth',
        '-type',
        'd',
        '-exec',
        'rmdir',
        '{}',
        ';',
      ]);
}
