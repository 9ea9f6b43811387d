/** Answers that outlive the connection of their reader, and the gateway that writes them where there are several. */
import {
  type Continuity,
  createContinuity,
  createNameClaims,
  createWitnessBook,
  createWitnesses,
} from '#continuity';
import type { PeerSide } from './peers.ts';
import { callsWithPredecessor, createSuccession, type Listening } from './succession.ts';
import type { Heritage } from '../handover.ts';
import { goOnWithAnswer } from '../flow/go-on.ts';
import type { Rooms } from '#flow';
import { resumeForPeers, type StreamRooms } from '../flow/serve-streams.ts';
import { witnessOthers } from '../flow/witness-others.ts';
import type { CallerBudgets } from '#http';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { PeerService } from '#vocabulary/peers';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';

export interface ContinuitySide {
  readonly rooms: StreamRooms;
  readonly stats: () => ReturnType<Continuity['stats']> & { readonly witnessed: number };
  /** What other gateways, and the next process of this one, may ask for. */
  readonly services: Readonly<Record<'streams' | 'witness', PeerService>>;
  start(): void;
  /** Nothing of others is taken over any more: they are to find another witness while this gateway is still there. */
  leave(): void;
  /** Resolves with the address at which the next process of this gateway reads what is kept in this one. */
  openForSuccessor(listening: Listening): Promise<string>;
  stop(): Promise<void>;
}

export function composeContinuity(parts: {
  readonly settings: Pick<Settings, 'limits'>;
  readonly rooms: Rooms;
  readonly budgets: CallerBudgets;
  readonly others: PeerSide;
  readonly storage: Pick<Storage, 'secret'>;
  readonly heritage: Pick<Heritage, 'predecessorUrl'> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}): ContinuitySide {
  const { rooms, others, clock, logger } = parts;
  const { secret } = parts.storage;
  const calls = callsWithPredecessor(secret, parts.heritage?.predecessorUrl, others.calls);
  const ownId = () => others.ownId() || 'successor';
  const { limits } = parts.settings;
  const { open: openMemory } = parts.budgets;
  const continuity = createContinuity(limits.resume);
  const book = createWitnessBook({ ...limits.resume, maxBodyBytes: limits.maxBodyBytes });
  const witnesses = createWitnesses();
  const claims = createNameClaims();
  const streamRooms = { ...rooms, continuity, openMemory, calls, witnesses, witnessed: book, claims };
  const services = {
    streams: resumeForPeers(streamRooms),
    witness: ({ exchange, id }: Parameters<PeerService>[0]) => witnesses.join(id, exchange),
  };
  const succession = createSuccession(secret, services);
  const heir = { ...rooms, continuity, witnesses, openMemory, clock, logger };
  const goOn = (answer: WitnessedAnswer) =>
    void goOnWithAnswer(heir, answer).catch((error: unknown) =>
      logger.error({ inherited: answer.id, error }, 'an inherited answer was lost to a bug'),
    );
  const witnessing = calls && witnessOthers({ calls, ownId, book, goOn, logger });
  return {
    rooms: streamRooms,
    stats: () => ({ ...continuity.stats(), witnessed: book.answers }),
    services,
    openForSuccessor: succession.open,
    start: () => witnessing?.start(),
    leave: () => witnessing?.stop(),
    async stop() {
      witnessing?.stop();
      // First, so that nobody forgets what this gateway does not end: others go on with it.
      witnesses.stop();
      continuity.stop();
      await succession.close();
    },
  };
}
