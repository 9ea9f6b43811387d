import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './hosts.ts';
import { systemProgram } from '#harness/system-programs';

/** The two ways of the contract to come in from outside, with the programs that people use for them. */
export interface Tunnels {
  /** Method 1. `network` is the address of the server as a network of one. */
  sshuttle(from: Host, ...networks: string[]): Tunnel;
  /** Method 2. `forwarding` as `ssh -L` wants it. */
  forward(from: Host, forwarding: string): Tunnel;
}

export interface Tunnel extends AsyncDisposable {
  readonly output: () => string;
  /** Torn in one moment, without a word to either side. */
  cut(): Promise<void>;
}

/** Starts the SSH server on the instance and gives its owner a key to it. */
export function openTunnels(instance: Host, folder: string, instanceAddress: string): Tunnels {
  const file = (name: string) => join(folder, name);
  for (const name of ['host-key', 'login-key'])
    execFileSync(systemProgram('ssh-keygen'), [
      '-q',
      '-t',
      'ed25519',
      '-N',
      '',
      '-C',
      name,
      '-f',
      file(name),
    ]);
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  writeFileSync(
    file('sshd_config'),
    [
      'Port 22',
      `HostKey ${file('host-key')}`,
      `AuthorizedKeysFile ${file('login-key.pub')}`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      '',
    ].join('\n'),
  );
  writeFileSync(
    file('ssh_config'),
    [
      'Host *',
      `  IdentityFile ${file('login-key')}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${file('known_hosts')}`,
      '  StrictHostKeyChecking accept-new',
      '  BatchMode yes',
      '  ExitOnForwardFailure yes',
      '  LogLevel ERROR',
      '',
    ].join('\n'),
  );
  chmodSync(file('login-key'), 0o600);
  keepOutput(instance.start('/usr/sbin/sshd', '-D', '-e', '-f', file('sshd_config')));
  const login = `root@${instanceAddress}`;
  const ssh = ['-F', file('ssh_config')];
  return {
    sshuttle: (from, ...networks) =>
      tunnel(from.start('sshuttle', '--ssh-cmd', `ssh ${ssh.join(' ')}`, '-r', login, ...networks)),
    forward: (from, forwarding) => tunnel(from.start('ssh', ...ssh, '-N', '-L', forwarding, login)),
  };
}

function tunnel(child: ChildProcess): Tunnel {
  const output = keepOutput(child);
  const cut = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { output, cut, [Symbol.asyncDispose]: cut };
}

function keepOutput(child: ChildProcess): () => string {
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => parts.push(text));
  }
  return () => parts.join('');
}
