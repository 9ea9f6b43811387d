/** The other gateways of the service, where the database is one that several can share. */
import { hostname } from 'node:os';
import { createPeerCalls, createPeerDoor, createPeers, type LivePeers } from '#peers';
import type { SharedEngines } from '#routing';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { EngineDefinition } from '#vocabulary/catalogue';
import { type Clock, systemTimers } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import type { Logger } from '#vocabulary/logger';
import type { PeerCalls, PeerService } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';

export interface PeerSide {
  /** Undefined where there can be no others. */
  readonly peers: LivePeers | undefined;
  readonly ownId: () => string;
  readonly calls: PeerCalls | undefined;
  /** Whether this is the one, of all gateways, that does what one has to do all the time. */
  readonly isFirst: () => boolean;
  /** Where they come in; what this gateway does for them is said when the rooms for it stand. */
  answer(services: Readonly<Record<string, PeerService>>): (exchange: Exchange) => Promise<void>;
  /** What routing needs to share engines with others. */
  sharedEngines(demand: SharedEngines['demand']): { readonly others?: SharedEngines };
  start(): Promise<void>;
  /** From now on the others can reach this gateway. Resolves when they are told so, or cannot be. */
  listensAt(url: string): Promise<void>;
  stop(): Promise<void>;
}

export function composePeers(parts: {
  readonly settings: Pick<Settings, 'advertise' | 'listen'>;
  readonly storage: Pick<Storage, 'newsBoard' | 'secret'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): PeerSide {
  const { settings, clock, logger } = parts;
  const { newsBoard, secret } = parts.storage;
  const ownId = () => newsBoard?.ownId ?? '';
  const peers = newsBoard && createPeers({ board: newsBoard, clock, timers: systemTimers, logger });
  return {
    peers,
    ownId,
    isFirst: () => peers === undefined || [...peers.addresses().keys()].every((id) => ownId() < id),
    calls: peers && createPeerCalls({ secret, ...peers }),
    answer: (services) => (peers === undefined ? refuse : createPeerDoor({ secret, ownId, services })),
    listensAt: async (url) => peers?.listensAt(settings.advertise ?? reachable(url, settings.listen.host)),
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

/** An address that means every address means nothing to others. */
function reachable(url: string, host: string): string {
  const { protocol, port } = new URL(url);
  const isEvery = host === '0.0.0.0' || host === '::';
  return isEvery ? `${protocol}//${hostname()}${port === '' ? '' : `:${port}`}` : url;
}

async function refuse(): Promise<void> {
  throw new Refusal('not_found', 'There are no other gateways of this service.');
}
