import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { EngineProgramOptions } from '../engines/llama-cpp/engine-program.ts';
import { createLineLogger } from '../engines/llama-cpp/line-logger.ts';
import { WrongUse } from './command.ts';
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
    const options = readOptions(args);
    const { startEngineProgram } = await import('../engines/llama-cpp/engine-program.ts');
    const program = await startEngineProgram({ ...options, logger: createLineLogger(process.stderr) });
    process.stdout.write(`${JSON.stringify({ address: program.address, ...program.facts })}\n`);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    await program.close();
    return 0;
  },
};

function readOptions(args: readonly string[]): Omit<EngineProgramOptions, 'logger'> {
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
        : (JSON.parse(readFileSync(values.profiles, 'utf8')) as EngineProgramOptions['profiles']),
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

function gpuOf(text: string): EngineProgramOptions['gpu'] {
  if (text === 'auto' || text === 'off' || text === 'cuda' || text === 'vulkan' || text === 'metal')
    return text;
  throw new WrongUse('--gpu must be auto, off, cuda, vulkan or metal.');
}
