import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WitnessBook } from '#continuity';
import { systemTimers } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { PeerCalls } from '#vocabulary/peers';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';

export interface WitnessingParts {
  readonly calls: PeerCalls;
  readonly ownId: () => string;
  /** Where the others reach this gateway; empty where they do not. */
  readonly address: () => string;
  /** Those who live at other addresses: at its own, another process may answer in their place. */
  readonly neighbours: () => readonly string[];
  readonly isHeardBy: (gatewayId: string) => boolean;
  readonly book: WitnessBook;
  /** Called when a gateway is found dead. */
  readonly onDeath: (gatewayId: string) => void;
  /** Called for every answer of a gateway that is dead. Never throws. */
  readonly goOn: (answer: WitnessedAnswer) => void;
  readonly logger: Logger;
}

const lookEveryMs = 250;
/** So long a gateway that starts waits for its lines to the others, and theirs to it. */
const firstLinesMs = 10_000;
const firstLooksMs = 20;
/** Of a gateway to which there is no line, as the process before this one at its own address. */
const seldomMs = 5000;
const quickLooks = 20;
/** What was heard before a line broke means nothing any more after so long: the gateway has told others since. */
const staleAfterMs = 10_000;
/** A machine that has lost its power closes no connection; whoever is silent for so long, and told nobody of himself, is dead. */
const silentAfterMs = 5000;
/** So long the heirs of a dead gateway have to go on with its answers, or to be found dead themselves. */
const heirsMs = 10_000;
/** After so long everybody has met an heir that lives. */
const youngMs = 4000;

/**
 * Listens to every other gateway, over one connection each, to what it writes for readers who may come back. When the
 * connection breaks and nobody is there any more, its answers go on here.
 */
export function witnessOthers(parts: WitnessingParts): {
  /**
   * Resolves when all who are there are listened to and listen to this one, or do not answer: whoever is killed then has
   * a witness.
   */
  start(): Promise<void>;
  /** Somebody new may be there. */
  look(): void;
  stop(): void;
} {
  const { calls, book, logger } = parts;
  const listenedTo = new Set<string>();
  /** One whom this gateway has never met may be too young, not dead, or was dead before anybody met it. */
  const met = new Set<string>();
  /** To whom there is a line at this moment. */
  const heard = new Set<string>();
  /** Who had the time to answer once. */
  const tried = new Set<string>();
  const stopped = new AbortController();
  let regular: Disposable | undefined;

  return {
    async start() {
      const untilMs = performance.now() + firstLinesMs;
      regular = systemTimers.every(lookEveryMs, look);
      look();
      while (calls.gateways().some(isAwaited) && performance.now() < untilMs)
        await sleep(firstLooksMs, undefined, { ref: false });
      const missing = parts.neighbours().filter(isAwaited);
      if (missing.length > 0)
        logger.warn({ gateways: missing }, 'the lines to or from other gateways do not stand yet');
    },
    look,
    stop() {
      regular?.[Symbol.dispose]();
      stopped.abort();
    },
  };

  function isAwaited(gatewayId: string): boolean {
    if (!parts.neighbours().includes(gatewayId)) return !heard.has(gatewayId) && !tried.has(gatewayId);
    return !heard.has(gatewayId) || !parts.isHeardBy(gatewayId);
  }

  function look(): void {
    if (stopped.signal.aborted) return;
    for (const gatewayId of calls.gateways())
      if (!listenedTo.has(gatewayId)) {
        listenedTo.add(gatewayId);
        void listenTo(gatewayId).finally(() => listenedTo.delete(gatewayId));
      }
  }

  async function listenTo(gatewayId: string): Promise<void> {
    const page = book.open(gatewayId, parts.goOn);
    let heardMs = performance.now();
    let looks = 0;
    while (!stopped.signal.aborted) {
      looks++;
      if (await hear(gatewayId, page)) {
        heardMs = performance.now();
        looks = 0;
      }
      tried.add(gatewayId);
      if (stopped.signal.aborted) return;
      // A stranger whose news are late may be dead for long, or too busy to answer: there is nothing to inherit.
      if (!met.has(gatewayId) && !calls.living().includes(gatewayId)) return;
      met.add(gatewayId);
      if (await calls.isGone(gatewayId)) {
        logger.debug({ gatewayId, living: calls.living() }, 'found another gateway dead');
        parts.onDeath(gatewayId);
        goOnWith(page.takeOver(), gatewayId);
        await outliveHeirs(page);
        return;
      }
      if (performance.now() - heardMs > staleAfterMs) page.forget();
      await sleep(looks < quickLooks ? lookEveryMs : seldomMs, undefined, { ref: false });
    }
  }

  function goOnWith(answers: readonly WitnessedAnswer[], gatewayId: string): void {
    if (answers.length > 0)
      logger.warn({ gatewayId, answers: answers.length }, 'a gateway died; its answers go on here');
    for (const answer of answers) {
      logger.debug({ gatewayId, inherited: answer.id, frames: answer.frames.length }, 'takes an answer over');
      parts.goOn(answer);
    }
  }

  /** An heir that lives goes on with its part, and says so; what one that died as well had to go on with is ours. */
  async function outliveHeirs(page: ReturnType<WitnessBook['open']>): Promise<void> {
    const fromMs = performance.now();
    const isDead = async (heir: string) =>
      met.has(heir)
        ? !heard.has(heir) && (await calls.isGone(heir))
        : performance.now() - fromMs > youngMs && !calls.living().includes(heir);
    while (page.heirs().length > 0 && performance.now() - fromMs < heirsMs && !stopped.signal.aborted) {
      for (const heir of page.heirs()) if (await isDead(heir)) goOnWith(page.takeOver(heir), heir);
      await sleep(lookEveryMs, undefined, { ref: false });
    }
    page.forget();
  }

  /** Until the line breaks. False when there was none. */
  async function hear(gatewayId: string, page: ReturnType<WitnessBook['open']>): Promise<boolean> {
    const broken = new AbortController();
    const answer = await calls.ask(gatewayId, {
      method: 'GET',
      path: `witness/${parts.ownId()}`,
      // Whoever answers this has the secret, and has it now.
      query: { nonce: randomBytes(16).toString('hex'), knows: 'roles', at: parts.address() },
      signal: AbortSignal.any([stopped.signal, broken.signal]),
    });
    if (answer?.status !== 200 || !answer.isSigned) return false;
    const reader = page.listen();
    heard.add(gatewayId);
    met.add(gatewayId);
    logger.debug({ gatewayId }, 'listens to another gateway');
    let heardMs = performance.now();
    using _watch = systemTimers.every(lookEveryMs, () => {
      if (performance.now() - heardMs > silentAfterMs && !calls.living().includes(gatewayId)) broken.abort();
    });
    try {
      for await (const bytes of answer.body) {
        heardMs = performance.now();
        reader.push(Buffer.from(bytes));
      }
    } catch (error) {
      logger.debug({ gatewayId, error }, 'the line to another gateway broke');
    } finally {
      heard.delete(gatewayId);
    }
    return true;
  }
}
