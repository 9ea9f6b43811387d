import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { EngineFlavour, Json } from './simulated-flavours.ts';
import type { StreamProgress } from './simulated-stream.ts';
import type { ServedModel } from './simulated-validation.ts';

export interface SimulatedEngineOptions {
  readonly flavour: EngineFlavour;
  readonly models?: readonly (string | SimulatedModel)[];
  /** Listens on a unix socket instead of a port of the loopback. */
  readonly socketPath?: string;
  /** Asked for under `/v1` as a bearer token, as the real engines do. */
  readonly credential?: string;
  /** uvicorn's habit is 5 seconds. */
  readonly keepAliveTimeoutMs?: number;
  /** The call that the model makes for this request, or the words it says; undefined for any words. */
  readonly play?: (request: Json) => PlayedCall | PlayedWords | undefined;
}

export interface PlayedCall {
  readonly name: string;
  readonly arguments: Json;
}

export interface PlayedWords {
  readonly words: string;
}

export interface SimulatedModel {
  readonly id: string;
  readonly reasoning?: 'fields' | 'inline' | 'none';
  readonly maxModelLen?: number;
  readonly hasToolParser?: boolean;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** How many requests this socket had carried before. */
  readonly priorOnSocket: number;
}

/** One generation as the engine saw it. `active` means: a slot of the GPU is taken. */
export interface Generation {
  readonly id: string;
  readonly prompt: string;
  readonly request: Json;
  readonly isStream: boolean;
  state: 'active' | 'completed' | 'aborted' | 'failed';
  readonly progress: StreamProgress;
  /** Set by a test: the stream comes to its proper end with the next frame. */
  isToldToFinish: boolean;
  abort(): void;
}

export type EngineEvent =
  | { readonly kind: 'generation-started'; readonly generation: Generation }
  | { readonly kind: 'abort-called'; readonly rid: string; readonly matched: number }
  | { readonly kind: 'socket-closed'; readonly generation: Generation };

export interface EngineControl {
  /** `sim:` words applied to every generation, probes included, on top of what its prompt says. */
  everyGeneration: string;
  /** The same, but not where the engine goes on with what another one began. */
  everyBeginning: string;
  /** The next requests on a reused socket find it closing: the keep-alive race. */
  closeRaces: number;
  /** Answered to questions of a megabyte before they are read, with a wish to be asked again in seven seconds. */
  early: number | undefined;
  health: 'ok' | 'starting' | 'dead' | 'hang';
  /** Gauges behind /metrics, /load and /v1/loads, on top of the generations really active. */
  extraLoad: number;
  /** What /metrics says of tokens: how many there were, nothing, or something that cannot be. */
  counters: 'honest' | 'none' | 'nonsense';
}

/** Since the engine started; a test that sets them to zero has restarted it. */
export interface CountedTokens {
  input: number;
  /** Part of input. */
  cached: number;
  output: number;
}

/** Everything one engine remembers; tests read it, the handlers write it. */
export class EngineState {
  readonly flavour: EngineFlavour;
  readonly models: readonly (ServedModel & { readonly reasoning: 'fields' | 'inline' | 'none' })[];
  readonly credential: string | undefined;
  readonly play: SimulatedEngineOptions['play'];
  readonly requests: ReceivedRequest[] = [];
  readonly generations: Generation[] = [];
  readonly events: EngineEvent[] = [];
  readonly abortCalls: Json[] = [];
  readonly counted: CountedTokens = { input: 0, cached: 0, output: 0 };
  readonly sockets = new Set<Socket>();
  readonly servedOn = new WeakMap<Socket, number>();
  readonly control: EngineControl = {
    everyGeneration: '',
    everyBeginning: '',
    closeRaces: 0,
    early: undefined,
    health: 'ok',
    extraLoad: 0,
    counters: 'honest',
  };

  constructor(options: SimulatedEngineOptions) {
    this.flavour = options.flavour;
    this.credential = options.credential;
    this.play = options.play;
    this.models = (options.models ?? ['model-a']).map((model) => {
      const named = typeof model === 'string' ? { id: model } : model;
      return {
        id: named.id,
        reasoning: named.reasoning ?? 'none',
        maxModelLen: named.maxModelLen ?? 8_192,
        hasToolParser: named.hasToolParser ?? true,
      };
    });
  }

  active(): Generation[] {
    return this.generations.filter((generation) => generation.state === 'active');
  }

  follow(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => {});
  }
}

export function sendJson(response: ServerResponse, status: number, value: Json): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

export function sendText(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
