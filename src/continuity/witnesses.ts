import type { AnswerBeginning } from '#vocabulary/witnessed-answer';
import type { FrameLog } from './frame-log.ts';
import type { StreamReader } from './kept-stream.ts';
import { type RecordKind, writeRecord } from './witness-records.ts';

/** What is to be told of one answer, before its own reader hears of it. */
export interface AnswerTold {
  frame(numbered: Buffer): void;
  end(): void;
  forget(): void;
}

/** The gateways that listen to this one, each over one connection, so that they can go on with its answers. */
export interface Witnesses {
  /** Another gateway listens from now on, until its connection ends. */
  join(gatewayId: string, reader: StreamReader): void;
  /** One of them, or the next that comes, is told of this answer. */
  tell(beginning: AnswerBeginning, body: Buffer, headers: readonly string[], log: FrameLog): AnswerTold;
  /** From now on nobody is told anything: what they know of is theirs once this gateway is gone. */
  stop(): void;
}

/** A witness that takes no more than this waits for is not told of the answers that have more to say. */
const maxBufferedBytes = 16 * 1024 * 1024;
/** Whoever says nothing is dead, or cut off. */
const aliveEveryMs = 1000;

interface Line {
  readonly reader: StreamReader;
  readonly answers: Set<Told>;
}

interface Told {
  readonly beginning: AnswerBeginning;
  readonly headers: readonly string[];
  readonly log: FrameLog;
  /** Needed to go on, and only until its end. */
  body: Buffer | undefined;
  line: Line | undefined;
}

/** Never waits and never fails: an answer that has no witness is an answer all the same. */
export function createWitnesses(): Witnesses {
  const lines = new Map<string, Line>();
  const unwitnessed = new Set<Told>();
  let isStopped = false;
  const beat = setInterval(() => {
    for (const line of lines.values()) write(line, writeRecord('alive', '-'));
  }, aliveEveryMs).unref();

  return {
    join(gatewayId, reader) {
      lines.get(gatewayId)?.reader.cancellation.cancel('caller-left');
      const line: Line = { reader, answers: new Set() };
      lines.set(gatewayId, line);
      // As an event stream it is nothing that a gateway waits for when it stops.
      reader.reply.begin(200, ['content-type', 'text/event-stream']);
      reader.reply.write(writeRecord('alive', '-'));
      reader.cancellation.onCancel(() => leave(gatewayId, line));
      for (const told of unwitnessed) assign(told);
    },
    tell(beginning, body, headers, log) {
      const told: Told = { beginning, body, headers, log, line: undefined };
      assign(told);
      return {
        frame: (numbered) => say(told, 'frame', numbered),
        end() {
          told.body = undefined;
          say(told, 'end');
        },
        forget() {
          say(told, 'forget');
          unwitnessed.delete(told);
          told.line?.answers.delete(told);
        },
      };
    },
    stop() {
      isStopped = true;
      clearInterval(beat);
    },
  };

  function leave(gatewayId: string, line: Line): void {
    if (lines.get(gatewayId) === line) lines.delete(gatewayId);
    for (const told of line.answers) {
      told.line = undefined;
      assign(told);
    }
    line.answers.clear();
  }

  /** Everything of it that is known so far goes to whoever has the least to remember. */
  function assign(told: Told): void {
    const [line] = [...lines.values()].toSorted((one, other) => one.answers.size - other.answers.size);
    if (line === undefined) {
      unwitnessed.add(told);
      return;
    }
    unwitnessed.delete(told);
    const { beginning, headers, log, body } = told;
    // Without its first frames nobody could go on with it.
    if (!log.has(0)) return;
    told.line = line;
    line.answers.add(told);
    say(told, 'begin', Buffer.from(JSON.stringify({ ...beginning, headers })));
    if (body !== undefined) say(told, 'body', body);
    for (const frame of log.after(0)) say(told, 'frame', frame);
    if (body === undefined) say(told, 'end');
  }

  function say(told: Told, kind: RecordKind, payload?: Buffer): void {
    const { line } = told;
    if (line === undefined || isStopped) return;
    if (write(line, writeRecord(kind, told.beginning.id, payload))) return;
    told.line = undefined;
    line.answers.delete(told);
    line.reader.reply.write(writeRecord('forget', told.beginning.id));
  }

  function write({ reader: { reply } }: Line, record: Buffer): boolean {
    if (reply.bufferedBytes + record.length > maxBufferedBytes) return false;
    reply.write(record);
    return true;
  }
}
