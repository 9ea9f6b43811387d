import { Pool } from 'undici';
import type { EngineDefinition } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import { RequestHeads } from './wire/request-heads.ts';
import { createWire, type Wire } from './wire/wire.ts';

/** The ways to one engine: a short one for what callers ask, and a library's for everything else. */
export interface EngineLine {
  readonly engineName: string;
  readonly key: string;
  readonly wire: Wire;
  readonly heads: RequestHeads;
  readonly pool: Pool;
  readonly prefix: string;
  readonly headers: string[];
}

export function createEngineLine(engine: EngineDefinition, clock: Clock): EngineLine {
  const url = new URL(engine.url);
  const headers = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream'];
  if (engine.credential !== undefined) headers.push('authorization', `Bearer ${engine.credential}`);
  const prefix = url.pathname.replace(/\/+$/, '');
  const pool = new Pool(url.origin, {
    // Our own line decides who waits: the pool must never be what a request queues in.
    connections: engine.maxConcurrent + 16,
    pipelining: 1,
    // Time limits are ours (see `giveUpSilent`); engines may think for minutes.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Below the five seconds after which common engines close an idle connection.
    keepAliveTimeout: 4000,
    connect: { timeout: 5000, ...(engine.socketPath === undefined ? {} : { socketPath: engine.socketPath }) },
  });
  return {
    engineName: engine.name,
    key: connectionKey(engine),
    wire: createWire({ url, socketPath: engine.socketPath }, clock.monotonicMs),
    heads: new RequestHeads(url.host, prefix, headers),
    pool,
    prefix,
    headers,
  };
}

/** What must be the same for connections to go on. */
export function connectionKey(engine: EngineDefinition): string {
  return JSON.stringify([
    engine.kind,
    engine.url,
    engine.socketPath,
    engine.credential,
    engine.maxConcurrent,
  ]);
}
