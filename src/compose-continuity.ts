/** Answers that outlive the connection of their reader, and the gateway that writes them where there are several. */
import { type Continuity, createContinuity, createWitnessBook, createWitnesses } from '#continuity';
import type { PeerSide } from './compose-peers.ts';
import { goOnWithAnswer } from './flow/go-on.ts';
import type { Rooms } from '#flow';
import type { StreamRooms } from './flow/serve-streams.ts';
import { witnessOthers } from './flow/witness-others.ts';
import type { CallerBudgets } from '#http';
import type { Settings } from '#settings';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { PeerService } from '#vocabulary/peers';

export interface ContinuitySide {
  readonly rooms: StreamRooms;
  readonly stats: () => ReturnType<Continuity['stats']> & { readonly witnessed: number };
  /** Where other gateways listen. */
  readonly witness: PeerService;
  start(): void;
  /** Nothing of others is taken over any more: they are to find another witness while this gateway is still there. */
  leave(): void;
  stop(): void;
}

export function composeContinuity(parts: {
  readonly settings: Pick<Settings, 'limits'>;
  readonly rooms: Rooms;
  readonly budgets: CallerBudgets;
  readonly others: PeerSide;
  readonly clock: Clock;
  readonly logger: Logger;
}): ContinuitySide {
  const { rooms, others, clock, logger } = parts;
  const { calls, ownId } = others;
  const { limits } = parts.settings;
  const { open: openMemory } = parts.budgets;
  const continuity = createContinuity(limits.resume);
  const book = createWitnessBook({ ...limits.resume, maxBodyBytes: limits.maxBodyBytes });
  const witnesses = createWitnesses();
  const heir = { ...rooms, continuity, witnesses, openMemory, clock, logger };
  const witnessing =
    calls &&
    witnessOthers({ calls, ownId, book, goOn: (answer) => void goOnWithAnswer(heir, answer), logger });
  return {
    rooms: {
      ...rooms,
      continuity,
      openMemory,
      calls,
      witnesses: calls && witnesses,
      witnessed: book,
    },
    stats: () => ({ ...continuity.stats(), witnessed: book.answers }),
    witness: ({ exchange, id }) => witnesses.join(id, exchange),
    start: () => witnessing?.start(),
    leave: () => witnessing?.stop(),
    stop() {
      witnessing?.stop();
      // First, so that nobody forgets what this gateway does not end: others go on with it.
      witnesses.stop();
      continuity.stop();
    },
  };
}
