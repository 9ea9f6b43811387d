import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Spoken {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One process in which command after command is run: what they share, which is most of their time, is loaded once. */
export interface CommandRoom extends AsyncDisposable {
  say(...words: string[]): Promise<Spoken>;
}

export function openCommandRoom(env: Readonly<Record<string, string>>, cwd?: string): CommandRoom {
  const child = fork(new URL('./command-room-process.ts', import.meta.url), { cwd, env, execArgv: [] });
  const exited = once(child, 'exit');
  const hasEnded = exited.then(() => Promise.reject(new Error('The process of the commands has ended.')));
  hasEnded.catch(() => {});
  let last: Promise<unknown> = Promise.resolve();
  const sayNow = async (words: readonly string[]) => {
    child.send(words);
    const [spoken] = (await Promise.race([once(child, 'message'), hasEnded])) as [Spoken];
    return spoken;
  };
  return {
    say(...words) {
      const spoken = last.then(() => sayNow(words));
      last = spoken;
      return spoken;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await exited;
    },
  };
}
