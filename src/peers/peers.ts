/**
 * What do the gateways of one service tell each other? Each puts up a few times a second what it has taken and what it
 * wants of the things they share, and reads what the others have put up. Nothing here fails: without its database a
 * gateway goes on with what it last knew.
 */
import type { Clock, Timers } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { NewsBoard, NewsOfAnother, Peers, Topic } from '#vocabulary/peers';

export interface LivePeers extends Peers {
  /** Resolves when the others have been heard, or cannot be. Never rejects. */
  start(): Promise<void>;
  /** From now on the others can reach this gateway there. Resolves when they are told so, or cannot be. */
  listensAt(address: string): Promise<void>;
  /** Where that is; empty while it does not listen. */
  readonly address: string;
  /** Another gateway has said itself where it is, before its news came. */
  meet(gatewayId: string, address: string): void;
  /** Where the other gateways listen, by gateway; as of the last time that they were heard. */
  addresses(): ReadonlyMap<string, string>;
  /** The same, with those who have told nothing for a while and whom nobody has found dead. */
  lastAddresses(): ReadonlyMap<string, string>;
  /** The others are heard again after a while in which nobody knew what they did. */
  onFoundAgain(listener: () => void): void;
  /** A gateway was found dead: what it told means nothing from now on, however fresh it is. */
  forget(gatewayId: string): void;
  /** The others learn at once that this gateway has gone. */
  stop(): Promise<void>;
}

const intervalMs = 250;
/** Between two times that somebody asked for. */
const leastGapMs = 25;
/** Whoever lives has told something since, on a machine that is not too busy. */
const silentAfterMs = 3 * intervalMs;
/** After so long without the others, what they told means nothing any more; they think the same of us. */
const lostAfterMs = 3_000;
/** A gateway that is too busy for news may still have somebody's answer; and after a loss of the database all news are old. */
const rememberedMs = 15_000;

interface Remembered {
  readonly address: string;
  readonly heardMs: number;
  /** By itself; its news have not come yet. */
  readonly isMet: boolean;
}

export function createPeers(parts: {
  readonly board: NewsBoard;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}): LivePeers {
  const { board, clock, timers, logger } = parts;
  const topics: Topic[] = [];
  const foundAgain: (() => void)[] = [];
  /** As long as they are still told of. */
  const dead = new Set<string>();
  let known: ReadonlyMap<string, string> = new Map();
  const remembered = new Map<string, Remembered>();
  let address = '';
  let firstMs: number | undefined;
  let heardMs = -Infinity;
  let endedMs = -Infinity;
  let isLost = false;
  let isStopped = false;
  let isAskedFor = false;
  let running: Promise<void> | undefined;
  let regular: Disposable | undefined;
  let soon: Disposable | undefined;

  const isInTouch = () => clock.monotonicMs() - heardMs < lostAfterMs;
  return {
    join: (topic) => void topics.push(topic),
    get count() {
      return known.size;
    },
    get isInTouch() {
      return isInTouch();
    },
    hurry,
    async start() {
      await exchange();
      regular = timers.every(intervalMs, () => void exchange());
    },
    async listensAt(url) {
      address = url;
      await running;
      await exchange();
    },
    get address() {
      return address;
    },
    meet(gatewayId, place) {
      if (place === '' || (known.get(gatewayId) ?? '') !== '' || dead.has(gatewayId)) return;
      remembered.set(gatewayId, { address: place, heardMs: clock.monotonicMs(), isMet: true });
      known = new Map([...known, [gatewayId, place]]);
    },
    addresses: () => known,
    lastAddresses,
    onFoundAgain: (listener) => void foundAgain.push(listener),
    forget(gatewayId) {
      remembered.delete(gatewayId);
      if (!known.has(gatewayId)) return;
      dead.add(gatewayId);
      hurry();
    },
    async stop() {
      isStopped = true;
      regular?.[Symbol.dispose]();
      soon?.[Symbol.dispose]();
      await running;
      await board.withdraw();
    },
  };

  function lastAddresses(): ReadonlyMap<string, string> {
    const all = new Map(known);
    const places = new Set([address, ...known.values()]);
    for (const [gatewayId, last] of remembered) {
      const isTimely = clock.monotonicMs() - last.heardMs < rememberedMs;
      // Whoever is where it was is somebody else.
      if (isTimely && !places.has(last.address)) all.set(gatewayId, last.address);
      else if (!isTimely) remembered.delete(gatewayId);
    }
    return all;
  }

  function hurry(): void {
    if (isStopped || soon !== undefined) return;
    if (running !== undefined) {
      isAskedFor = true;
      return;
    }
    soon = timers.after(Math.max(0, endedMs + leastGapMs - clock.monotonicMs()), () => {
      soon = undefined;
      void exchange();
    });
  }

  /** One at a time: while the database takes long, there is less news. */
  function exchange(): Promise<void> {
    if (isStopped) return Promise.resolve();
    running ??= tellAndHear().finally(() => {
      running = undefined;
      endedMs = clock.monotonicMs();
      if (!isAskedFor) return;
      isAskedFor = false;
      hurry();
    });
    return running;
  }

  function livingOf(all: readonly NewsOfAnother[]): readonly NewsOfAnother[] {
    for (const gatewayId of dead)
      if (!all.some((other) => other.gatewayId === gatewayId)) dead.delete(gatewayId);
    return all.filter((other) => !dead.has(other.gatewayId) && !hasSuccessor(other, all));
  }

  /** Somebody else is where it was: it is dead, or it finishes its last answers and would say so. */
  function hasSuccessor({ gatewayId, address: place, ageMs }: NewsOfAnother, all: readonly NewsOfAnother[]) {
    if (place === '' || ageMs < silentAfterMs) return false;
    return (
      place === address ||
      all.some((other) => other.address === place && other.gatewayId !== gatewayId && other.ageMs < ageMs)
    );
  }

  async function tellAndHear(): Promise<void> {
    try {
      const told = Object.fromEntries(topics.map((topic) => [topic.name, topic.tell()]));
      const all = livingOf(await board.exchange({ address, topics: told }));
      const others = all.filter(({ ageMs }) => ageMs < lostAfterMs);
      heardMs = clock.monotonicMs();
      firstMs ??= heardMs;
      const justMet = [...remembered].filter(
        ([, last]) => last.isMet && heardMs - last.heardMs < lostAfterMs,
      );
      known = new Map([
        ...others.map((other) => [other.gatewayId, other.address] as const),
        ...justMet.map(([gatewayId, last]) => [gatewayId, last.address] as const),
      ]);
      for (const { gatewayId, address: place, ageMs } of all) {
        const toldMs = heardMs - ageMs;
        // Also a stranger whose news were late already when this gateway came.
        if (place !== '' && (ageMs < lostAfterMs || toldMs < firstMs))
          remembered.set(gatewayId, { address: place, heardMs: toldMs, isMet: false });
      }
      for (const topic of topics)
        topic.hear(
          new Map(
            others
              .filter((other) => topic.name in other.topics)
              .map((other) => [other.gatewayId, other.topics[topic.name]]),
          ),
        );
      if (!isLost) return;
      isLost = false;
      if (known.size > 0) logger.info({ gateways: known.size }, 'the other gateways are heard again');
      for (const listener of foundAgain) listener();
    } catch (error) {
      if (isLost || isInTouch()) return;
      isLost = true;
      if (known.size > 0) logger.warn({ error }, 'the other gateways are not heard any more');
      for (const topic of topics) topic.lose();
    }
  }
}

export { createPeerCalls } from './peer-calls.ts';
export { createPeerDoor } from './peer-door.ts';
