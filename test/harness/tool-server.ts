import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ReceivedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly secret: string | string[] | undefined;
}

export type ToolServerMessage =
  | { readonly kind: 'calls' }
  | { readonly kind: 'describe'; readonly description: string };

/** A real MCP server in a process of its own; some of its tools misbehave, each in the way of its name. */
export interface ToolServer extends AsyncDisposable {
  readonly url: string;
  calls(): Promise<readonly ReceivedCall[]>;
  /** The tool `lookup` becomes another one. */
  describe(description: string): Promise<void>;
}

export async function startToolServer(): Promise<ToolServer> {
  const child: ChildProcess = fork(fileURLToPath(new URL('./tool-server-process.ts', import.meta.url)), {
    stdio: 'inherit',
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const [url] = (await once(child, 'message')) as [string];
  const ask = async (message: ToolServerMessage): Promise<readonly ReceivedCall[]> => {
    const answer = once(child, 'message') as Promise<[readonly ReceivedCall[]]>;
    child.send(message);
    return (await answer)[0];
  };
  return {
    url,
    calls: () => ask({ kind: 'calls' }),
    describe: async (description) => void (await ask({ kind: 'describe', description })),
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      const exited = once(child, 'exit');
      kill();
      await exited;
    },
  };
}
