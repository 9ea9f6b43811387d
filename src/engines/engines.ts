/**
 * How is a generation started and stopped on vLLM, SGLang, llama.cpp and the like? One HTTP adapter for all; what is
 * different about a kind stands in its folder.
 */
import type {
  Catalogue,
  EngineCounters,
  EngineDefinition,
  EngineKind,
  EngineLoad,
  EngineTrial,
  ModelReplica,
  UnservedTrial,
} from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import { EngineFault } from '#vocabulary/engine-fault';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { EngineStream, InferenceEndpoint, ParsedRequest, Route } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { EngineIdentity } from '#vocabulary/receipts';
import { Refusal } from '#vocabulary/refusal';
import { Roster } from '#vocabulary/roster';
import type { Countable } from '#vocabulary/token-count';
import type { TokenUsage } from '#vocabulary/usage';
import { canGoOn, canReplay } from './continuation.ts';
import { chosenSeed } from './chosen-seed.ts';
import { countTokens, withCount } from './count-tokens.ts';
import { createEngineIdentities } from './engine-identities.ts';
import { kinds } from './engine-kinds.ts';
import { connectionKey, createEngineLine, type EngineLine } from './engine-line.ts';
import { type EngineKindRules, type TryMark, tryMark } from './engine-kind.ts';
import { createEngineReports } from './engine-reports.ts';
import { HttpEngineStream } from './http-engine-stream.ts';
import { outboundBody } from './outbound-body.ts';
import { judgeAnswer } from './judge-answer.ts';
import { tryOut, tryOutUnserved } from './try-out.ts';
import type { WireRequest } from './wire/sent-request.ts';

export interface EnginesOptions {
  readonly catalogue: Catalogue;
  /** Resolves when an embedded engine can take requests; rejects with the reason when it will not. */
  readonly whenReady: (engineName: string) => Promise<void>;
  /** An engine that starts on demand is well until somebody demands it; asking how it is would be a demand. */
  readonly isIdle: (engineName: string) => boolean;
  /** An engine that gives no sign of life for so long is given up. */
  readonly silenceMs: number;
  /** Told again and again while an engine that has work gives no sign of life. */
  readonly onSilence: (engineName: string) => void;
  /** Told after a successful probe, when the engine says how long a context it serves. */
  readonly onContextLength: (engineName: string, upstreamModel: string, tokens: number) => void;
  /** Told of every answer that was asked for on nobody's account: probes, and questions of operators. */
  readonly onOwnUsage: (engineName: string, usage: TokenUsage) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Engines {
  /**
   * Resolves with a successful answer's stream. Throws a Refusal when the engine refused the request, an EngineFault
   * when the engine failed. The cancellation of the caller cancels the generation from the first moment on.
   */
  open(route: Route, begun?: BegunAnswer): Promise<EngineStream>;
  canGoOn(kind: EngineKind, request: ParsedRequest, begun: BegunAnswer): boolean;
  /**
   * As this engine goes on with it: with its own count of the tokens that were written, if it tells, and whether it
   * writes all of it once more.
   */
  prepared(route: Route, begun: BegunAnswer): Promise<BegunAnswer>;
  /** By the engine's own tokenizer; undefined when it has none, sleeps, or does not tell at once. */
  countTokens(
    engine: EngineDefinition,
    replica: ModelReplica,
    counted: Countable,
  ): Promise<number | undefined>;
  /** Whether frames of this engine need no rewriting. */
  speaksPublicForm(kind: EngineKind): boolean;
  /** Whether an engine of this kind answers at this endpoint. */
  offers(kind: EngineKind, endpoint: InferenceEndpoint): boolean;
  /** A tiny generation. Resolves undefined when the engine is fine, else with the reason. */
  probe(engine: EngineDefinition, replica: ModelReplica): Promise<string | undefined>;
  /** A short answer to a real question, for whoever looks after the engine. Never rejects. */
  tryOut(engine: EngineDefinition, replica: ModelReplica): Promise<EngineTrial>;
  /** The same with an engine that may not be served, over connections of its own; of its first model by default. */
  tryOutUnserved(engine: EngineDefinition, upstreamModel: string | undefined): Promise<UnservedTrial>;
  /** Whether the engine answers anything at all, quickly: a process that is stopped does not. */
  isAlive(engine: EngineDefinition): Promise<boolean>;
  /** Everything the engine has in hand for us has failed. */
  abandon(engineName: string, reason: string): void;
  /** What an engine says it has in hand, also for others; undefined when it does not say. */
  readLoad(engine: EngineDefinition): Promise<EngineLoad | undefined>;
  /** What an engine has counted itself; 'none' when it does not count, undefined when it cannot be asked now. */
  readCounters(engine: EngineDefinition): Promise<EngineCounters | 'none' | undefined>;
  /** What an engine of others has said of itself; asked again now and then. */
  identityOf(engineName: string): EngineIdentity | undefined;
  /** The seed that a request gets along because its caller gave none. */
  chosenSeed(kind: EngineKind, request: ParsedRequest): number | undefined;
  apply(catalogue: Catalogue): void;
  close(): Promise<void>;
}

/** An engine with work and no word for so long is asked whether it lives. Thinking takes longer; living answers. */
const suspiciousMs = 4000;
const lookEveryMs = 1000;

export function createEngines(options: EnginesOptions): Engines {
  const lines = new Map<string, EngineLine>();
  const open = new Roster<HttpEngineStream>();
  let lookedMs = options.clock.monotonicMs();
  let hasSkipped = false;
  const watch = setInterval(() => {
    closeStale();
    if (!wasAsleep()) giveUpSilent();
  }, lookEveryMs);
  watch.unref();
  const reports = createEngineReports(options, lineOf);
  const identities = createEngineIdentities(reports.readText, options.clock);
  apply(options.catalogue);

  return {
    open(route, begun) {
      const { engine, request } = route;
      const rules = kinds[engine.kind];
      const address = rules.addressOf(request.endpoint);
      if (address === undefined)
        return Promise.reject(
          new Refusal(
            'not_supported_by_engine',
            `The engine of \`${request.model.id}\` does not offer ${request.spoken}. Every engine offers chat/completions.`,
          ),
        );
      if (engine.kind !== 'embedded') return send(route, rules, address, begun);
      return ready(engine.name).then(() => send(route, rules, address, begun));
    },
    canGoOn: (kind, request, begun) => canGoOn(kinds[kind], request, begun),
    async prepared(route, begun) {
      const rules = kinds[route.engine.kind];
      const counted = await withCount(lineOf(route.engine), rules.addressOf('tokenize'), route, begun);
      return { ...counted, isReplayed: canReplay(rules, route, begun) };
    },
    async countTokens(engine, { upstreamModel }, counted) {
      const address = kinds[engine.kind].addressOf('tokenize');
      if (address === undefined || options.isIdle(engine.name)) return undefined;
      return await countTokens(lineOf(engine), address, engine.kind, upstreamModel, counted);
    },
    speaksPublicForm: (kind) => kinds[kind].speaksPublicForm,
    offers: (kind, endpoint) => kinds[kind].addressOf(endpoint) !== undefined,
    probe: reports.probe,
    async tryOut(engine, replica) {
      try {
        if (engine.kind === 'embedded') await options.whenReady(engine.name);
        return await tryOut({
          line: lineOf(engine),
          upstreamModel: replica.upstreamModel,
          onUsage: (usage) => options.onOwnUsage(engine.name, usage),
          clock: options.clock,
        });
      } catch (cause) {
        return { isWell: false, text: cause instanceof Error ? cause.message : String(cause), tookMs: 0 };
      }
    },
    tryOutUnserved: (engine, upstreamModel) =>
      tryOutUnserved({
        engine,
        upstreamModel,
        // An engine that is being changed works, and counts, under the same name.
        onUsage: (usage) => lines.has(engine.name) && options.onOwnUsage(engine.name, usage),
        clock: options.clock,
      }),
    isAlive: reports.isAlive,
    abandon(engineName, reason) {
      // What an engine of the same name still answers that is being replaced is none of its business.
      const line = lines.get(engineName);
      for (const stream of open.members()) if (stream.line === line) stream.giveUp(reason);
    },
    readLoad: reports.readLoad,
    readCounters: reports.readCounters,
    identityOf: (engineName) => identities.of(engineName),
    chosenSeed,
    apply,
    async close() {
      clearInterval(watch);
      for (const { wire } of lines.values()) wire.destroy();
      await Promise.all([...lines.values()].map(({ pool }) => pool.destroy()));
    },
  };

  /** One promise for the whole of it: everybody passes here. */
  function send(
    route: Route,
    rules: EngineKindRules,
    address: string,
    begun: BegunAnswer | undefined,
  ): Promise<EngineStream> {
    return new Promise((resolve, reject) => {
      const { exchange } = route.request;
      const line = lineOf(route.engine);
      const common = line.heads.of(address);
      const stream = new HttpEngineStream(
        line,
        {
          opened: () => judgeAnswer(stream, route.request, resolve, reject),
          failedToOpen: reject,
          over: () => open.remove(entry),
        },
        options.clock.monotonicMs,
      );
      const entry = open.add(stream);
      const tryAs = (mark: TryMark, repeat?: () => WireRequest): WireRequest => {
        const abort = rules.abortCall(route, mark);
        if (abort !== undefined) stream.stopAtEngine = () => callAbort(line, abort);
        const name = rules.takesRequestIdHeader ? `x-request-id: ${mark}${exchange.requestId}\r\n` : '';
        return { head: common + name, body: outboundBody(route, rules, mark, begun), repeat };
      };
      const repeat = () => {
        stream.stopLost();
        return tryAs(tryMark(route, true));
      };
      const first = tryAs(tryMark(route, false), rules.isOurOwn ? undefined : repeat);
      stream.sent = line.wire.send(first, stream);
      exchange.cancellation.onCancel(() => stream.cancel());
    });
  }

  async function callAbort(line: EngineLine, call: { address: string; body: string }): Promise<void> {
    const response = await line.pool.request({
      path: line.prefix + call.address,
      method: 'POST',
      headers: line.headers,
      body: call.body,
      headersTimeout: 2000,
      bodyTimeout: 2000,
    });
    await response.body.dump();
  }

  async function ready(engineName: string): Promise<void> {
    try {
      await options.whenReady(engineName);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new EngineFault(reason, { retry: 'anywhere', cause });
    }
  }

  function closeStale(): void {
    const now = options.clock.monotonicMs();
    for (const { wire } of lines.values()) wire.closeStale(now);
  }

  /** Whether we did not run for a while: what engines said meanwhile has yet to be read, so one look is left out. */
  function wasAsleep(): boolean {
    const now = options.clock.monotonicMs();
    hasSkipped = !hasSkipped && now - lookedMs > 1.5 * lookEveryMs;
    lookedMs = now;
    return hasSkipped;
  }

  function giveUpSilent(): void {
    const now = options.clock.monotonicMs();
    const silent = new Set<string>();
    for (const stream of open.members())
      if (stream.silenceMs(now) > options.silenceMs) stream.giveUp('the engine fell silent');
      else if (stream.silenceMs(now) > suspiciousMs && lines.get(stream.line.engineName) === stream.line)
        silent.add(stream.line.engineName);
    for (const engineName of silent) options.onSilence(engineName);
  }

  function lineOf(engine: EngineDefinition): EngineLine {
    const line = lines.get(engine.name);
    if (line === undefined)
      throw new EngineFault('the engine was taken out of service', { retry: 'anywhere' });
    return line;
  }

  /** An engine whose address or credential changed gets a new pool; the old one ends with its last request. */
  function apply(catalogue: Catalogue): void {
    for (const [name, line] of lines) {
      const definition = catalogue.engines.find((engine) => engine.name === name);
      if (definition !== undefined && connectionKey(definition) === line.key) continue;
      lines.delete(name);
      line.wire.retire();
      line.pool
        .close()
        .catch((error: unknown) =>
          options.logger.warn({ error, engine: name }, 'engine connections did not close cleanly'),
        );
    }
    for (const engine of catalogue.engines) {
      if (!lines.has(engine.name)) lines.set(engine.name, createEngineLine(engine, options.clock));
    }
    const replicas = catalogue.models.flatMap((model) => model.replicas);
    identities.apply(catalogue.engines, (name) => replicas.find(({ engineName }) => engineName === name));
  }
}
