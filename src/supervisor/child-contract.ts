import type { ChildProcess } from 'node:child_process';
import type { EmbeddedEngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import type { EmbeddedEngineFacts } from '#vocabulary/embedded-engine';

/** Starts an engine process with a channel to us. */
export type StartEngine = (configuration: ChildConfiguration) => ChildProcess;

/** Whether a file can be served, as far as can be told without loading it; `problem` is a whole sentence. */
export type CheckModelFile = (
  path: string,
) => Promise<
  | { readonly isSound: true; readonly fileBytes: number }
  | { readonly isSound: false; readonly problem: string }
>;

/** An upper estimate of the memory that an engine takes, and how much of it is the file itself. */
export type EstimateMemory = (
  path: string,
  options: { readonly slots: number; readonly contextTokens: number | undefined },
) => Promise<{ readonly memory: { readonly weightBytes: number; readonly totalBytes: number } }>;

/** What an engine process is told when it is started. */
export interface ChildConfiguration {
  readonly modelFile: string;
  readonly listen: { readonly socketPath: string };
  readonly threads: number | 'auto';
  readonly slots: number;
  readonly contextTokens: number | 'auto';
  readonly gpu: EmbeddedEngineDefinition['gpu'];
  readonly profiles: readonly ModelProfile[];
}

/** One id under which the weights are served, with its manners. */
export type ModelProfile = Pick<
  ModelDefinition,
  | 'id'
  | 'reasoning'
  | 'supportsTools'
  | 'supportsReasoningEffort'
  | 'defaultReasoningEffort'
  | 'templateKwargs'
  | 'thinkingBudgetTokens'
  | 'samplingDefaults'
  | 'contextTokens'
>;

/** What a running engine process is told: serve these ids from now on, or end with the last answer. */
export type ChildOrder =
  | { readonly type: 'serve'; readonly profiles: readonly ModelProfile[] }
  | { readonly type: 'finish' };

/** What an engine process says over its channel. Anything else it sends is ignored. */
export type ChildMessage =
  | { readonly type: 'ready'; readonly facts: EmbeddedEngineFacts }
  | { readonly type: 'failed'; readonly reason: string };

/** A child may be broken in any way: nothing of its message is believed before it is looked at. */
export function readChildMessage(message: unknown): ChildMessage | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  if (message.type === 'failed' && 'reason' in message && typeof message.reason === 'string')
    return { type: 'failed', reason: message.reason.slice(0, 500) };
  if (message.type === 'ready' && 'facts' in message && isFacts(message.facts))
    return { type: 'ready', facts: message.facts };
  return undefined;
}

function isFacts(facts: unknown): facts is EmbeddedEngineFacts {
  if (typeof facts !== 'object' || facts === null) return false;
  const values = facts as Record<string, unknown>;
  return (
    numericFacts.every((name) => typeof values[name] === 'number') &&
    typeof values['architecture'] === 'string' &&
    typeof values['gpu'] === 'string'
  );
}

const numericFacts = [
  'parameters',
  'contextTokens',
  'slots',
  'threads',
  'loadMs',
  'warmUpMs',
  'memoryBytes',
] as const satisfies readonly (keyof EmbeddedEngineFacts)[];
