/**
 * One process hands its listening sockets to the next, so that no connection is ever refused: both hold the same socket
 * for a moment, and what waits in its queue is accepted by either. The old process starts the new one, as its child at
 * first, because only so can a socket be handed over; the new one gets it when everything else of it stands.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { EmbeddedEngineStatus } from '#vocabulary/embedded-engine';
import { type AddressInfo, isIP, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The ask and the word of the new process to the old one. */
type Word =
  | { readonly word: 'ready-for-sockets' }
  | { readonly word: 'serving' }
  | { readonly word: 'failed'; readonly reason: string };

const successorMark = 'GATEHOUSE_SUCCESSOR';
/** A start that takes longer than this has failed. */
const longestStartMs = 180_000;
const predecessorLookMs = 100;

/** Resolves with the number of a new process that serves; throws the reason when there is none, and nothing has changed. */
export async function startSuccessor(
  listeners: readonly Server[],
  engines: readonly EmbeddedEngineStatus[],
  ownUrl: string,
): Promise<number> {
  requireMemory(engines);
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    cwd: process.cwd(),
    env: { ...process.env, [successorMark]: ownUrl },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    await untilServing(child, listeners);
  } catch (reason) {
    child.kill('SIGKILL');
    throw reason;
  }
  child.disconnect();
  child.unref();
  return child.pid ?? 0;
}

/** For a while there are two of each engine that runs here. */
function requireMemory(engines: readonly EmbeddedEngineStatus[]): void {
  const neededBytes = engines.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
  if (neededBytes <= process.availableMemory()) return;
  const gibibytes = (neededBytes / 1024 ** 3).toFixed(1);
  throw new Error(
    `there is no memory for a second copy of the embedded engines (${gibibytes} GiB). Stop the service and start it again.`,
  );
}

function untilServing(child: ChildProcess, listeners: readonly Server[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error('the new process was not ready in time')),
      longestStartMs,
    );
    limit.unref();
    child.on('message', (message) => {
      const said = message as Word;
      if (said.word === 'serving') resolve();
      else if (said.word === 'failed') reject(new Error(said.reason));
      else for (const listener of listeners) child.send({ count: listeners.length }, listener);
    });
    child.on('error', reject);
    child.on('exit', (status, signal) =>
      reject(new Error(`the new process ended with ${signal ?? status ?? 'nothing'} before it served`)),
    );
  });
}

/** What a process that follows another one has to say to it. */
export interface Heritage {
  /** Where the one before can be read. */
  readonly predecessorUrl: string;
  /** The sockets of the old process, asked for when they can be served at once. */
  takeListeners(): Promise<readonly Server[]>;
  serving(): void;
  failed(reason: string): void;
  /** Whoever stops this process means the service: the one before has no more time for its answers either. */
  hurryPredecessor(): void;
  /** Resolves when the one before has ended, or after that time. */
  predecessorGone(noLongerThanMs: number): Promise<void>;
}

/** The socket for this address among those that were handed over; with port 0 the first one. */
export function listenerFor(
  listeners: readonly Server[],
  { host, port }: { readonly host: string; readonly port: number },
): Server | undefined {
  return listeners.find((listener) => {
    const bound = listener.address() as AddressInfo;
    return port === 0 || (bound.port === port && (bound.address === host || isName(host)));
  });
}

/** A name was looked up when the socket was opened, and may stand for any address. */
function isName(host: string): boolean {
  return isIP(host) === 0;
}

/** Undefined when this process follows nobody. */
export function heritageOf(): Heritage | undefined {
  const predecessorUrl = process.env[successorMark];
  if (predecessorUrl === undefined || process.send === undefined) return undefined;
  delete process.env[successorMark];
  const predecessor = process.ppid;
  // A child whose parent has ended has another one.
  const isPredecessorThere = () => process.ppid === predecessor;
  const say = (word: Word) => void (process.connected && process.send?.(word));
  return {
    predecessorUrl,
    takeListeners() {
      const { promise, resolve, reject } = Promise.withResolvers<readonly Server[]>();
      const taken: Server[] = [];
      process.on('message', (message, handle) => {
        taken.push(handle as Server);
        if (taken.length === (message as { count: number }).count) resolve(taken);
      });
      process.once('disconnect', () => reject(new Error('The process to follow is gone.')));
      say({ word: 'ready-for-sockets' });
      return promise;
    },
    serving() {
      say({ word: 'serving' });
      process.removeAllListeners('message');
    },
    failed: (reason) => say({ word: 'failed', reason }),
    hurryPredecessor() {
      if (isPredecessorThere()) process.kill(predecessor, 'SIGTERM');
    },
    async predecessorGone(noLongerThanMs) {
      const giveUpAt = performance.now() + noLongerThanMs;
      while (isPredecessorThere() && performance.now() < giveUpAt) await sleep(predecessorLookMs);
    },
  };
}
