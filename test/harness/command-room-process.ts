/** Runs the command that a message holds, and answers with what it said. Ends with whoever sends the messages. */
import { runCli } from '../../src/cli/cli.ts';

process.on('message', (words: string[]) => void answer(words));

async function answer(words: readonly string[]): Promise<void> {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    process[stream].write = (chunk: string | Uint8Array) => {
      said[stream] += chunk.toString();
      return true;
    };
  const status = await runCli(words);
  process.send?.({ status, ...said });
}
