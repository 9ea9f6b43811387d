import { startGateway, type Gateway } from '#harness/gateway';
import { startSimulatedEngine } from '#harness/simulated-engine';
import type { PlayedCall } from '#harness/simulated-state';
import { startWitness, type Witness } from '#harness/witness';
import type { WritingTool } from './agent.ts';

/** The running program before an engine with a long context, whose model does what the task says, once. */
export interface ScriptedService extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly witness: Witness;
  readonly key: string;
  readonly model: string;
}

type Json = Record<string, unknown>;

export const taskFor = (file: string, word: string): string =>
  `Write the word ${word} into the file ${file} now.`;
const taskForm = /Write the word (\w+) into the file ([\w./-]+) now\./;

export async function startScriptedService(tools: readonly WritingTool[]): Promise<ScriptedService> {
  const engine = await startSimulatedEngine({
    flavour: 'vllm',
    models: [{ id: 'long', maxModelLen: 200_000, reasoning: 'fields' }],
    play: (request) => callFor(request, tools),
  });
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines: [{ name: 'scripted', kind: 'vllm', url: engine.url }],
      models: [
        {
          id: 'Long',
          path: 'long',
          engines: [{ engine: 'scripted', model: 'long', reasoning: 'fields' }],
          tools: true,
          reasoning: 'separate',
          reasoningEffort: true,
          context: 200_000,
        },
      ],
    },
  });
  const witness = await startWitness(gateway.url);
  const { secret } = await gateway.createKey();
  return {
    gateway,
    witness,
    key: secret,
    model: 'Long',
    async [Symbol.asyncDispose]() {
      await witness.stop();
      await gateway.stop();
      await engine.stop();
    },
  };
}

/** The call that does the task, as long as no result of a call has come back; words for everything else. */
function callFor(request: Json, tools: readonly WritingTool[]): PlayedCall | undefined {
  const messages = (request['messages'] ?? []) as Json[];
  const task = taskForm.exec(JSON.stringify(messages));
  const offered = ((request['tools'] ?? []) as { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  );
  const tool = tools.find(({ name }) => offered.includes(name));
  if (task === null || tool === undefined || messages.some(({ role }) => role === 'tool')) return undefined;
  return { name: tool.name, arguments: tool.call(task[2] ?? '', task[1] ?? '') };
}
