import type { JsonObject } from '#dialects/json-object';
import { responseId } from '#dialects/responses/response-frame';
import type { AnswerObserver } from '#dialects/translation';
import type { Clock } from '#vocabulary/clock';
import { Refusal } from '#vocabulary/refusal';
import type { ResponseShelf, ShelfAsk } from '#vocabulary/response-shelf';
import type { KeptResponse } from '#vocabulary/response-store';
import type { BackgroundRun } from './background-run.ts';
import { asItems } from './input-items.ts';
import type { Keeping } from './keeping.ts';

export interface ShelfParts {
  readonly keeping: Keeping;
  readonly keepMs: number;
  /** A conversation longer than a body may be is none that a body could bring. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** The run that writes this response. */
  readonly runOf: (id: string) => BackgroundRun | undefined;
}

const maxTurns = 500;

export function createShelf({ keeping, keepMs, maxBytes, clock, runOf }: ShelfParts): ResponseShelf {
  return {
    async open(ask) {
      const { body } = ask;
      const wantsStore = flag(body, 'store');
      const inBackground = flag(body, 'background') === true;
      const previousId = body.previous_response_id ?? undefined;
      if (inBackground && wantsStore === false)
        throw wrong(
          'background',
          'A response in the background has to be kept: leave "store" out, or set it.',
        );
      const isKept = inBackground || wantsStore === true;
      if (!isKept && previousId === undefined) return undefined;
      if (previousId !== undefined && typeof previousId !== 'string')
        throw wrong('previous_response_id', '"previous_response_id" must be the id of a response.');
      const items = asItems(body.input, responseId(ask.requestId));
      const earlier = previousId === undefined ? [] : await conversation(ask.owner.id, previousId);
      const input = JSON.stringify(items);
      if (isKept) await keeping.requireRoom(Buffer.byteLength(input));
      return {
        body: earlier.length === 0 ? body : { ...body, input: [...earlier, ...items] },
        observer: isKept ? observer(ask, input, previousId) : undefined,
      };
    },
  };

  /** Follows the chain back to its beginning. */
  async function conversation(ownerId: string, lastId: string): Promise<readonly JsonObject[]> {
    const turns: (readonly JsonObject[])[] = [];
    let bytes = 0;
    for (let id: string | undefined = lastId; id !== undefined;) {
      const kept: KeptResponse | undefined = await keeping.find(ownerId, id);
      if (kept === undefined) throw unknownResponse(id, 'previous_response_id');
      const { status, output } = JSON.parse(kept.response) as JsonObject;
      if (status === 'queued' || status === 'in_progress')
        throw wrong(
          'previous_response_id',
          `The response \`${id}\` is still being written. Wait for its end.`,
        );
      bytes += Buffer.byteLength(kept.response) + Buffer.byteLength(kept.input);
      if (bytes > maxBytes || turns.length >= maxTurns)
        throw new Refusal('context_length_exceeded', 'The conversation is too long to be continued.', {
          param: 'previous_response_id',
        });
      turns.push([...(JSON.parse(kept.input) as JsonObject[]), ...(output as JsonObject[])]);
      id = kept.previousId;
    }
    return turns.toReversed().flat();
  }

  function observer(ask: ShelfAsk, input: string, previousId: string | undefined): AnswerObserver {
    const createdAt = clock.wallMs();
    const record = (response: JsonObject, run?: BackgroundRun): KeptResponse => ({
      id: responseId(ask.requestId),
      owner: ask.owner,
      createdAt,
      expiresAt: createdAt + keepMs,
      aliveUntil: run === undefined || run.hasEnded ? undefined : clock.wallMs() + aliveMs,
      previousId,
      response: JSON.stringify(response),
      input,
      events: run?.hasEnded === true ? run.log.text() : undefined,
    });
    const run = runOf(responseId(ask.requestId));
    if (run === undefined)
      return { accepted() {}, finished: (answer) => void keeping.save(record({ ...answer, store: true })) };
    const finished = (answer: JsonObject) => run.finished({ ...answer, store: true });
    // Whoever has inherited one keeps it, see `responses.ts`.
    if (run.isInherited) return { accepted() {}, finished };
    const save = async () =>
      run.isForgotten || run.isHandedOn || (await keeping.save(record(run.current, run)));
    return {
      accepted(draft) {
        run.accepted({ ...draft, store: true });
        run.whenWritten = save();
        run.onBegun = () => void save();
        void run
          .whenOver()
          .then(save)
          .then(() => run.kept());
      },
      finished,
    };
  }
}

/** Renewed several times within it, see `responses.ts`. The clocks of two gateways may differ by a minute or two. */
export const aliveMs = 180_000;

function flag(body: JsonObject, name: string): boolean | undefined {
  const value = body[name] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrong(name, `"${name}" must be true or false.`);
}

function wrong(param: string, message: string): Refusal {
  return new Refusal('invalid_parameter', message, { param });
}

export function unknownResponse(id: string, param?: string): Refusal {
  return new Refusal(
    'not_found',
    `There is no response \`${id.slice(0, 100)}\` of yours. Responses are kept for a while, and only with "store": true.`,
    { param },
  );
}
