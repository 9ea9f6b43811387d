import type { EngineCounters, EngineDefinition, EngineLoad, ModelReplica } from '#vocabulary/catalogue';
import { readContextTokens } from './context-length.ts';
import { kinds } from './engine-kinds.ts';
import type { EngineLine } from './engine-line.ts';
import type { Engines, EnginesOptions } from './engines.ts';
import { judgeProbe } from './judge-probe.ts';
import { readTokenCounters } from './prometheus-text.ts';
import { readSome } from './read-some.ts';
import { toldUsage } from './told-usage.ts';

const aliveMs = 2000;
/** Lists of models and metrics; vLLM's are some hundred kilobytes. */
const maxReportBytes = 8 * 1024 * 1024;

type EngineReports = Pick<Engines, 'probe' | 'isAlive' | 'readLoad' | 'readCounters'> & {
  /** What stands at an address of the engine; undefined when it does not show it. */
  readonly readText: (engine: EngineDefinition, address: string) => Promise<string | undefined>;
};

/** What engines say of themselves: whether they live and answer, their load, their counters, how much they read. */
export function createEngineReports(
  options: Pick<EnginesOptions, 'whenReady' | 'isIdle' | 'onContextLength' | 'onOwnUsage'>,
  lineOf: (engine: EngineDefinition) => EngineLine,
): EngineReports {
  return { probe, isAlive, readText, readLoad, readCounters };

  async function probe(engine: EngineDefinition, replica: ModelReplica): Promise<string | undefined> {
    try {
      if (options.isIdle(engine.name)) return undefined;
      if (engine.kind === 'embedded') await options.whenReady(engine.name);
      const line = lineOf(engine);
      const response = await line.pool.request({
        path: `${line.prefix}/v1/completions`,
        method: 'POST',
        headers: line.headers,
        body: JSON.stringify({
          model: replica.upstreamModel,
          prompt: 'Hello',
          max_tokens: 1,
          temperature: 0,
        }),
        headersTimeout: 20_000,
        bodyTimeout: 20_000,
      });
      const answer = await response.body.text();
      options.onOwnUsage(engine.name, toldUsage(answer));
      const fault = judgeProbe(response.statusCode, answer);
      if (fault !== undefined) return fault;
      await learnContextLength(engine, replica);
      return undefined;
    } catch (cause) {
      return cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : String(cause);
    }
  }

  async function isAlive(engine: EngineDefinition): Promise<boolean> {
    const { pool, prefix, headers } = lineOf(engine);
    try {
      const response = await pool.request({
        path: `${prefix}/health`,
        method: 'GET',
        headers,
        headersTimeout: aliveMs,
        bodyTimeout: aliveMs,
      });
      await response.body.dump();
      return true;
    } catch {
      return false;
    }
  }

  /** Only a fact for people and editors: an engine that does not tell is as good as any other. */
  async function learnContextLength(engine: EngineDefinition, replica: ModelReplica): Promise<void> {
    if (engine.kind === 'embedded') return;
    const tokens = await readText(engine, '/v1/models')
      .then((text) => (text === undefined ? undefined : readContextTokens(text, replica.upstreamModel)))
      .catch(() => undefined);
    if (tokens !== undefined) options.onContextLength(engine.name, replica.upstreamModel, tokens);
  }

  async function readText(engine: EngineDefinition, address: string): Promise<string | undefined> {
    const { pool, prefix, headers } = lineOf(engine);
    const response = await pool.request({
      path: prefix + address,
      method: 'GET',
      headers,
      headersTimeout: 1000,
      bodyTimeout: 1000,
    });
    const text = await readSome(response.body, maxReportBytes);
    return response.statusCode === 200 ? text : undefined;
  }

  async function readLoad(engine: EngineDefinition): Promise<EngineLoad | undefined> {
    const signal = kinds[engine.kind].loadSignal;
    if (signal === undefined) return undefined;
    try {
      const text = await readText(engine, signal.address);
      return text === undefined ? undefined : signal.read(text);
    } catch {
      // A load that cannot be read is no reason to doubt the engine: its generations tell.
      return undefined;
    }
  }

  async function readCounters(engine: EngineDefinition): Promise<EngineCounters | 'none' | undefined> {
    const names = kinds[engine.kind].tokenCounters;
    if (names === undefined) return 'none';
    if (options.isIdle(engine.name)) return undefined;
    try {
      const text = await readText(engine, '/metrics');
      return (text === undefined ? undefined : readTokenCounters(text, names)) ?? 'none';
    } catch {
      return undefined;
    }
  }
}
