/** The other gateways of the service, where the database is one that several can share. */
import { hostname } from 'node:os';
import { createPeers, type LivePeers } from '#peers';
import type { SharedEngines } from '#routing';
import type { Storage } from '#storage';
import type { EngineDefinition } from '#vocabulary/catalogue';
import { type Clock, systemTimers } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';

export interface PeerSide {
  /** Undefined where there can be no others. */
  readonly peers: LivePeers | undefined;
  readonly ownId: () => string;
  /** What routing needs to share engines with others. */
  sharedEngines(demand: SharedEngines['demand']): { readonly others?: SharedEngines };
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function composePeers({ newsBoard }: Storage, clock: Clock, logger: Logger): PeerSide {
  const ownId = () => newsBoard?.ownId ?? '';
  const peers = newsBoard && createPeers({ board: newsBoard, clock, timers: systemTimers, logger });
  return {
    peers,
    ownId,
    sharedEngines: (demand) => (peers === undefined ? {} : { others: { peers, ownId, sharedName, demand } }),
    start: async () => peers?.start(),
    stop: async () => peers?.stop(),
  };
}

/** An embedded engine belongs to its gateway; one on this machine is not the one of that address on another. */
function sharedName({ kind, url, socketPath }: EngineDefinition): string | undefined {
  if (kind === 'embedded') return undefined;
  if (socketPath !== undefined) return `${hostname()} ${socketPath}`;
  const { hostname: host } = new URL(url);
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host) ? `${hostname()} ${url}` : url;
}
