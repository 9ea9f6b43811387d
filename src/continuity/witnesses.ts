import type { AnswerBeginning, AnswerTold, ToldFrames } from '#vocabulary/witnessed-answer';
import type { StreamReader } from './kept-stream.ts';
import { type RecordKind, writeRecord } from './witness-records.ts';

/** The gateways that listen to this one, each over one connection, so that they can go on with its answers. */
export interface Witnesses {
  /**
   * Another gateway listens from now on, until its connection ends. Those of earlier versions take everything over that
   * they know of, and only from the dead: they can be heirs, and nothing else.
   */
  join(gatewayId: string, reader: StreamReader, knowsRoles: boolean): void;
  isHeardBy(gatewayId: string): boolean;
  /**
   * One of them, or the next that comes, is told of this answer, as its heir. Another one is told too, where there is
   * one: the spare, who goes on with it if the heir is dead as well.
   */
  tell(beginning: AnswerBeginning, body: Buffer, headers: readonly string[], log: ToldFrames): AnswerTold;
  /** From now on nobody is told anything: what they know of is theirs once this gateway is gone. */
  stop(): void;
}

/** A witness that takes no more than this waits for is not told of the answers that have more to say. */
const maxBufferedBytes = 16 * 1024 * 1024;
/** Whoever says nothing is dead, or cut off. */
const aliveEveryMs = 1000;

interface Line {
  readonly gatewayId: string;
  readonly reader: StreamReader;
  readonly knowsRoles: boolean;
  /** Of which it is told, in one role or the other. */
  readonly asHeir: Set<Told>;
  readonly asSpare: Set<Told>;
}

interface Told {
  readonly beginning: AnswerBeginning;
  readonly headers: readonly string[];
  readonly log: ToldFrames;
  /** Needed to go on, and only until its end. */
  body: Buffer | undefined;
  heir: Line | undefined;
  spare: Line | undefined;
  isHandedOn: boolean;
}

type Saying = readonly [RecordKind, Buffer?];

/** Never waits and never fails: an answer that has no witness is an answer all the same. */
export function createWitnesses(): Witnesses {
  const lines = new Map<string, Line>();
  /** Of which somebody more could be told. */
  const incomplete = new Set<Told>();
  let isStopped = false;
  const beat = setInterval(() => {
    for (const line of lines.values()) write(line, writeRecord('alive', '-'));
  }, aliveEveryMs).unref();

  return {
    join(gatewayId, reader, knowsRoles) {
      lines.get(gatewayId)?.reader.cancellation.cancel('caller-left');
      const line: Line = { gatewayId, reader, knowsRoles, asHeir: new Set(), asSpare: new Set() };
      lines.set(gatewayId, line);
      // As an event stream it is nothing that a gateway waits for when it stops.
      reader.reply.begin(200, ['content-type', 'text/event-stream']);
      reader.reply.write(writeRecord('alive', '-'));
      reader.cancellation.onCancel(() => leave(line));
      for (const told of incomplete) assign(told);
    },
    isHeardBy: (gatewayId) => lines.has(gatewayId),
    tell(beginning, body, headers, log) {
      const roles = { heir: undefined, spare: undefined, isHandedOn: false };
      const told: Told = { beginning, body, headers, log, ...roles };
      assign(told);
      if (beginning.lostGateways > 0) tellOthers(told);
      return {
        get hasWitness() {
          return told.heir !== undefined || told.isHandedOn;
        },
        frames: (frames) => say(told, framesOf(frames)),
        end() {
          told.body = undefined;
          say(told, [['end']]);
        },
        forget() {
          say(told, [['forget']]);
          incomplete.delete(told);
          dismiss(told);
        },
        handOn: () => handOn(told),
      };
    },
    stop() {
      isStopped = true;
      clearInterval(beat);
    },
  };

  function dismiss(told: Told): void {
    told.heir?.asHeir.delete(told);
    told.spare?.asSpare.delete(told);
  }

  /** Whoever was the spare of an answer that this gateway goes on with need not wait any longer. */
  function tellOthers({ beginning, heir, spare }: Told): void {
    for (const line of lines.values())
      if (line !== heir && line !== spare) write(line, writeRecord('forget', beginning.id));
  }

  /** What the spare knows stays there until the heir has told others of it, or is dead. */
  function handOn(told: Told): boolean {
    const { heir } = told;
    if (heir === undefined || told.isHandedOn) return told.isHandedOn;
    if (heir.knowsRoles) {
      heir.reader.reply.write(writeRecord('yours', told.beginning.id));
      dismiss(told);
    }
    incomplete.delete(told);
    told.isHandedOn = true;
    return true;
  }

  function leave(line: Line): void {
    if (lines.get(line.gatewayId) === line) lines.delete(line.gatewayId);
    for (const told of [...line.asHeir, ...line.asSpare]) {
      release(told, line);
      assign(told);
    }
  }

  /** Without its heir, an answer has its spare for one. */
  function release(told: Told, line: Line): void {
    const { heir, spare } = told;
    dismiss(told);
    told.heir = heir === line ? spare : heir;
    told.spare = undefined;
    told.heir?.asHeir.add(told);
    if (heir === line && spare !== undefined) write(spare, writeRecord('heir', told.beginning.id));
  }

  /** Everything of it that is known so far goes to those who have the least to remember. */
  function assign(told: Told): void {
    // Without its first frames nobody could go on with it.
    if (!told.log.has(0)) {
      incomplete.delete(told);
      return;
    }
    if (told.heir === undefined) {
      told.heir = idlest('asHeir', () => true);
      told.heir?.asHeir.add(told);
      if (told.heir !== undefined) tellAll(told, told.heir);
    }
    if (told.heir !== undefined && told.spare === undefined) {
      told.spare = idlest('asSpare', (line) => line !== told.heir && line.knowsRoles);
      told.spare?.asSpare.add(told);
      if (told.spare !== undefined) tellAll(told, told.spare, told.heir.gatewayId);
    }
    if (told.spare === undefined) incomplete.add(told);
    else incomplete.delete(told);
  }

  function idlest(role: 'asHeir' | 'asSpare', mayBe: (line: Line) => boolean): Line | undefined {
    const [line] = [...lines.values()]
      .filter(mayBe)
      .toSorted((one, other) => one[role].size - other[role].size);
    return line;
  }

  function tellAll(told: Told, line: Line, heir?: string): void {
    const { beginning, headers, log, body } = told;
    const all: readonly Saying[] = [
      ['begin', Buffer.from(JSON.stringify({ ...beginning, headers, heir }))],
      ...(body === undefined ? [] : [['body', body] as const]),
      ...framesOf(log.after(0)),
      ...(body === undefined ? [['end'] as const] : []),
    ];
    sayTo(told, line, written(told, all));
  }

  function say(told: Told, sayings: readonly Saying[]): void {
    const { heir, spare } = told;
    if (sayings.length === 0 || heir === undefined || isStopped || told.isHandedOn) return;
    const records = written(told, sayings);
    sayTo(told, heir, records);
    if (spare !== undefined) sayTo(told, spare, records);
  }

  /** In one piece: a gateway that is killed has said all of it or nothing. */
  function written({ beginning }: Told, sayings: readonly Saying[]): Buffer {
    return Buffer.concat(sayings.map(([kind, payload]) => writeRecord(kind, beginning.id, payload)));
  }

  function sayTo(told: Told, line: Line, records: Buffer): void {
    if (isStopped || write(line, records)) return;
    line.reader.reply.write(writeRecord('forget', told.beginning.id));
    release(told, line);
  }

  function write({ reader: { reply } }: Line, record: Buffer): boolean {
    if (reply.bufferedBytes + record.length > maxBufferedBytes) return false;
    reply.write(record);
    return true;
  }
}

function framesOf(frames: readonly Buffer[]): readonly Saying[] {
  return frames.map((frame) => ['frame', frame]);
}
