/** Answers that outlive the connection of their reader, and the gateway that writes them where there are several. */
import { join } from 'node:path';
import {
  type AnswerFiles,
  type Continuity,
  createAnswerFiles,
  createContinuity,
  createNameClaims,
  createWitnessBook,
  createWitnesses,
  type Witnesses,
} from '#continuity';
import type { PeerSide } from './peers.ts';
import type { Listening } from './listening.ts';
import { callsWithPredecessor, createSuccession } from './succession.ts';
import type { Heritage } from '../handover.ts';
import { goOnWithAnswer } from '../flow/go-on.ts';
import { goOnWithResponse } from '../flow/go-on-with-response.ts';
import { responsesForPeers } from '../flow/responses-elsewhere.ts';
import type { ResponseRooms } from '../flow/serve-responses.ts';
import type { Rooms } from '#flow';
import type { Responses } from '#responses';
import { resumeForPeers, type StreamRooms } from '../flow/serve-streams.ts';
import { serveRest } from '../flow/serve-rest.ts';
import { witnessOthers } from '../flow/witness-others.ts';
import type { CallerBudgets } from '#http';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { Clock } from '#vocabulary/clock';
import { openLivingProcesses } from '#vocabulary/living-processes';
import type { Logger } from '#vocabulary/logger';
import type { PeerService } from '#vocabulary/peers';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';

export interface ContinuitySide {
  readonly rooms: StreamRooms;
  readonly responseRooms: ResponseRooms;
  readonly stats: () => ReturnType<Continuity['stats']> & Readonly<Record<'witnessed' | 'spared', number>>;
  /** What other gateways, and the next process of this one, may ask for. */
  readonly services: Readonly<Record<'streams' | 'witness' | 'responses', PeerService>>;
  /** Whether a process before this one left a response that goes on here. */
  isFound(id: string): boolean;
  /** Resolves when this gateway knows what the others write. */
  start(): Promise<void>;
  /** Nothing of others is taken over any more: they are to find another witness while this gateway is still there. */
  leave(): void;
  /** Resolves with the address at which the next process of this gateway reads what is kept in this one. */
  openForSuccessor(listening: Listening): Promise<string>;
  stop(): Promise<void>;
  /** Resolves when what the next process goes on with stands on the disk. Called when nothing is written any more. */
  writeDown(): Promise<void>;
}

export function composeContinuity(parts: {
  readonly settings: Pick<Settings, 'limits' | 'dataDir'>;
  readonly rooms: Rooms;
  readonly responses: Responses;
  readonly budgets: CallerBudgets;
  readonly others: PeerSide;
  readonly storage: Pick<Storage, 'secret' | 'responses'>;
  readonly heritage: Pick<Heritage, 'predecessorUrl'> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}): ContinuitySide {
  const { rooms, responses, others, clock, logger } = parts;
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
    witness: ({ exchange, id, query }: Parameters<PeerService>[0]) => {
      witnesses.join(id, exchange, query.get('knows') === 'roles');
      // Whoever has just come writes for somebody before its news are here.
      others.peers?.meet(id, query.get('at') ?? '');
      witnessing?.look();
    },
    responses: responsesForPeers({ responses }),
  };
  const succession = createSuccession(secret, services);
  const restRooms = { ...rooms, openMemory, clock, logger };
  const heir = { continuity, witnesses, serveRest: serveRest.bind(undefined, restRooms), logger };
  const goOnWith = ({ response, ...answer }: WitnessedAnswer) =>
    response === undefined
      ? goOnWithAnswer(heir, answer)
      : goOnWithResponse({ ...heir, responses, witnesses: withFiles }, { ...answer, response });
  const goOn = (answer: WitnessedAnswer) =>
    goOnWith(answer).catch((error: unknown) =>
      logger.error({ inherited: answer.id, error }, 'an inherited answer was lost to a bug'),
    );
  const files = createAnswerFiles({
    directory: join(parts.settings.dataDir, 'background'),
    processes: openLivingProcesses(parts.settings.dataDir),
    maxBodyBytes: limits.maxBodyBytes,
    shelf: others.calls && parts.storage.responses,
    limits: { ...limits.resume, streamsPerKey: Math.max(1, limits.resume.streamsPerKey) },
    goOn,
    logger,
  });
  const withFiles = toldTwice(witnesses, files);
  const onDeath = (gatewayId: string) => others.peers?.forget(gatewayId);
  const heirOf = { onDeath, goOn: (answer: WitnessedAnswer) => void goOn(answer) };
  const address = () => others.peers?.address ?? '';
  const own = {
    ownId,
    address,
    neighbours: () =>
      [...(others.peers?.addresses() ?? [])].flatMap(([id, at]) =>
        at === '' || at === address() ? [] : [id],
      ),
    // As long as the process before it listens at the same address, whoever calls may get that one.
    isHeardBy: parts.heritage === undefined ? witnesses.isHeardBy : () => true,
  };
  const witnessing = calls && witnessOthers({ calls, ...own, book, ...heirOf, logger });
  return {
    rooms: streamRooms,
    responseRooms: { ...rooms, responses, openMemory, calls, witnesses: withFiles, logger },
    stats: () => ({ ...continuity.stats(), witnessed: book.answers, spared: book.spares }),
    services,
    openForSuccessor: succession.open,
    isFound: files.isFound,
    async start() {
      files.start();
      await witnessing?.start();
    },
    leave: () => witnessing?.stop(),
    async stop() {
      witnessing?.stop();
      continuity.stop();
      witnesses.stop();
      await succession.close();
    },
    writeDown: files.stop,
  };
}

/** Two know of each answer: another gateway where there is one, and in any case the next process from this folder. */
function toldTwice(witnesses: Pick<Witnesses, 'tell'>, files: AnswerFiles): Pick<Witnesses, 'tell'> {
  return {
    tell(...answer) {
      const [another, file] = [witnesses.tell(...answer), files.tell(...answer)];
      const both = [another, file];
      return {
        get hasWitness() {
          return both.some((told) => told.hasWitness);
        },
        whenKnown: another.hasWitness ? undefined : file.whenKnown,
        frames(frames) {
          for (const told of both) told.frames(frames);
        },
        end() {
          for (const told of both) told.end();
        },
        forget() {
          for (const told of both) told.forget();
        },
        handOn: () => both.filter((told) => told.handOn()).length > 0,
      };
    },
  };
}
