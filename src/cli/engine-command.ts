import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type EngineConfiguration, startEngine } from '#engine';
import { exitStatus, WrongUse } from './command.ts';
import type { Command } from './command.ts';

export const engineCommand: Command = {
  name: 'engine',
  summary: 'Run the embedded engine alone',
  usage: `Usage: gatehouse engine --model FILE (--socket PATH | --port N) [options]

Serves the OpenAI wire (/v1/chat/completions, /v1/completions, /v1/embeddings, …) from one GGUF file, without
the gateway: no keys, no limits, no accounts. Listens on loopback unless told otherwise.

  --model FILE       the GGUF file
  --socket PATH      listen on a unix socket
  --port N           listen on a TCP port; 0 takes a free one
  --host ADDRESS     address for --port (default 127.0.0.1)
  --threads N        threads for llama.cpp (default: all cores but one, and no more
                     than the weights keep busy)
  --slots N          answers written at the same time (default 8)
  --context N        tokens per answer with its prompt (default: the model's own, at most 8192)
  --gpu KIND         auto, off, cuda, vulkan or metal (default auto)
  --profiles FILE    JSON list of the model ids to serve and how each behaves
`,
  run: async (args) => {
    const engine = startEngine(readOptions(args));
    engine.stderr?.pipe(process.stderr);
    engine.on('message', (message: { type: string; address?: string; facts?: object }) => {
      if (message.type === 'ready')
        process.stdout.write(`${JSON.stringify({ address: message.address, ...message.facts })}\n`);
    });
    const stop = (): void => void engine.kill('SIGTERM');
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const [status] = (await once(engine, 'exit')) as [number | null];
    return status ?? exitStatus.failed;
  },
};

function readOptions(args: readonly string[]): EngineConfiguration {
  const { values } = parse(args);
  if (values.model === undefined) throw new WrongUse('Name a GGUF file with --model.');
  if ((values.socket === undefined) === (values.port === undefined)) {
    throw new WrongUse('Say where to listen: either --socket or --port.');
  }
  return {
    modelFile: values.model,
    listen:
      values.socket === undefined
        ? { host: values.host, port: wholeNumber('port', values.port, 0) ?? 0 }
        : { socketPath: values.socket },
    threads: wholeNumber('threads', values.threads, 1) ?? 'auto',
    slots: wholeNumber('slots', values.slots, 1) ?? 8,
    contextTokens: wholeNumber('context', values.context, 64) ?? 'auto',
    gpu: gpuOf(values.gpu),
    profiles:
      values.profiles === undefined
        ? []
        : (JSON.parse(readFileSync(values.profiles, 'utf8')) as EngineConfiguration['profiles']),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        model: { type: 'string' },
        socket: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string', default: '127.0.0.1' },
        threads: { type: 'string' },
        slots: { type: 'string' },
        context: { type: 'string' },
        gpu: { type: 'string', default: 'auto' },
        profiles: { type: 'string' },
      },
    });
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isInteger(number) || number < least) {
    throw new WrongUse(`--${name} must be a whole number of at least ${least}.`);
  }
  return number;
}

function gpuOf(text: string): EngineConfiguration['gpu'] {
  if (text === 'auto' || text === 'off' || text === 'cuda' || text === 'vulkan' || text === 'metal')
    return text;
  throw new WrongUse('--gpu must be auto, off, cuda, vulkan or metal.');
}
