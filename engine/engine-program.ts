import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedEngineFacts } from '#vocabulary/embedded-engine';
import type { Logger } from '#vocabulary/logger';
import { createChatTemplate } from './chat/chat-template.ts';
import { createTokenTable } from './constraint/constraint.ts';
import type { TokenTable } from './constraint/token-table.ts';
import { plainProfile } from './engine-profile.ts';
import type { EngineProfile } from './engine-profile.ts';
import { loadModel } from './native/loaded-model.ts';
import type { GpuChoice, LoadedModel } from './native/loaded-model.ts';
import { createStepLoop } from './scheduler/step-loop.ts';
import type { StepLoop } from './scheduler/step-loop.ts';
import { createEngineServer } from './wire/engine-server.ts';
import { greedy } from './sampling/sampling-parameters.ts';

/**
 * The embedded engine: a program of its own that serves the OpenAI wire from one GGUF file through llama.cpp.
 * The gateway starts it as a child process (`child.ts`); it also runs alone (`gatehouse engine`).
 */
export interface EngineProgram {
  readonly facts: EmbeddedEngineFacts;
  /** Where it listens: a socket path or `http://host:port`. */
  readonly address: string;
  /** From now on these ids are served; running generations go on as they were. */
  serve(profiles: readonly EngineProfile[]): void;
  /** Takes nothing new, lets running generations end, then frees the model. */
  finish(): Promise<void>;
  /** Ends running generations and frees the model. */
  close(): Promise<void>;
}

export interface EngineProgramOptions {
  readonly modelFile: string;
  readonly listen: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  readonly threads: number | 'auto';
  readonly slots: number;
  readonly contextTokens: number | 'auto';
  readonly gpu: GpuChoice;
  /** The ids served; empty serves the file under its own name. */
  readonly profiles: readonly EngineProfile[];
  readonly logger: Logger;
  /** Called once when nothing can be generated any more and only a new process helps. */
  readonly onBroken: (cause: Error) => void;
  /** Sequences that may wait for a slot. */
  readonly maxWaiting?: number;
}

const defaultMaxWaiting = 256;
const lastWordsMs = 250;

export async function startEngineProgram(options: EngineProgramOptions): Promise<EngineProgram> {
  const { logger, listen } = options;
  const model = await loadModel(options);
  const loop = createStepLoop({
    model,
    maxWaiting: options.maxWaiting ?? defaultMaxWaiting,
    logger,
    onBroken: options.onBroken,
  });
  const warmUpMs = await warmUp(model, loop);

  const { tokenizer } = model;
  const named = (given: readonly EngineProfile[]): readonly EngineProfile[] =>
    given.length > 0 ? given : [plainProfile(basename(options.modelFile, '.gguf'))];
  let profiles = named(options.profiles);
  let tokenTable: TokenTable | undefined;
  const server = createEngineServer({
    model,
    loop,
    logger,
    profiles: () => profiles,
    template: createChatTemplate(model.chatTemplate, tokenizer),
    // Only constrained answers need it, and it takes a while for large vocabularies.
    tokenTable: () => (tokenTable ??= createTokenTable(tokenizer.ordinaryBytes())),
  });

  if ('socketPath' in listen) await rm(listen.socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if ('socketPath' in listen) server.listen(listen.socketPath, resolve);
    else server.listen(listen.port, listen.host, resolve);
  });

  const { architecture, parameters, contextTokens, slots, gpu, threads, loadMs, memoryBytes } = model.facts;
  return {
    facts: { architecture, parameters, contextTokens, slots, gpu, threads, loadMs, warmUpMs, memoryBytes },
    address:
      'socketPath' in listen
        ? listen.socketPath
        : `http://${listen.host}:${(server.address() as AddressInfo).port}`,
    serve: (given) => {
      profiles = named(given);
    },
    finish: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => server.closeIdleConnections(), lastWordsMs);
      await closed;
      clearInterval(idle);
      await loop.close();
      await model.close();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await loop.close();
      // What was said last has a moment to arrive.
      await Promise.race([closed, delay(lastWordsMs)]);
      server.closeAllConnections();
      await closed;
      await model.close();
    },
  };
}

/** The first step touches every page of the weights; nobody should wait for that. */
async function warmUp(model: LoadedModel, loop: StepLoop): Promise<number> {
  const startedMs = performance.now();
  const promptTokens = model.tokenizer.encode('Good morning.', false);
  await new Promise<void>((resolve, reject) => {
    loop.submit({
      promptTokens,
      cacheSalt: '',
      member: '',
      sampling: greedy,
      alternatives: undefined,
      scoresPrompt: false,
      writer: {
        promptRead: () => {},
        nextDirective: () => ({ kind: 'free', banned: [] }),
        accept: () => {
          resolve();
          return 'finished';
        },
        failed: reject,
      },
    });
  });
  return Math.round(performance.now() - startedMs);
}
