import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvelope } from '#dialects/envelope';
import { framesIn } from '#harness/http-client';
import { faultsOfShape } from '#harness/openai-shapes';
import { readRecordedEngines, type RecordedEngine, type Recording } from '#harness/recording';
import { faultsOfStream, type StreamedChunk } from '#harness/stream-laws';
import { createRelay } from '#relay';
import { Cancellation } from '#vocabulary/cancellation';
import { systemClock } from '#vocabulary/clock';
import type { EngineStream, EngineStreamReader, Outcome, Route } from '#vocabulary/inference';

/**
 * The recorded streams, carried by the relay itself: however the network cuts them, the caller gets the same bytes and
 * the books the same numbers.
 */
const relay = createRelay({
  heartbeatMs: 60_000,
  speaksPublicForm: () => false,
  clock: systemClock,
});

/** `untouched`: nothing of the caller's wishes makes the relay look inside the frames. */
const wishes = {
  untouched: { id: 'pocket', given: 'none', wanted: 'none' },
  renamed: { id: 'Public', given: 'none', wanted: 'none' },
  tagged: { id: 'Public', given: 'fields', wanted: 'think-tags' },
} as const;
type Wish = (typeof wishes)[keyof typeof wishes];

for (const engine of readRecordedEngines()) {
  const streams = engine.recordings.filter(({ headers }) =>
    headers['content-type']?.startsWith('text/event-stream'),
  );
  for (const [name, wish] of Object.entries(wishes))
    test(`${engine.name}: ${streams.length} streams, ${name}, cut at every byte`, async () => {
      for (const recording of streams) {
        const whole = await carry(engine, recording, wish, [Buffer.from(recording.body)]);
        assert.deepEqual(faultsOf(recording, wish, whole.text), [], recording.name);
        for (const pieces of cutEverywhere(recording.body)) {
          const cut = await carry(engine, recording, wish, pieces);
          assert.deepEqual(cut, whole, `${recording.name}, first cut at ${pieces[0]!.length}`);
        }
      }
    });
}

interface Carried {
  readonly text: string;
  readonly ending: Outcome['ending'];
  readonly usage: Outcome['usage'];
}

async function carry(
  engine: RecordedEngine,
  { request, headers }: Recording,
  wish: Wish,
  pieces: readonly Buffer[],
): Promise<Carried> {
  const written: string[] = [];
  const reply = {
    hasBegun: false,
    hasEnded: false,
    begin: () => (reply.hasBegun = true),
    write: (chunk: Buffer | string) => written.push(chunk.toString()) > 0,
    onDrain: () => {},
    end: (chunk?: Buffer | string) => {
      if (chunk !== undefined) written.push(chunk.toString());
      reply.hasEnded = true;
    },
  };
  const options = request.body['stream_options'] as { include_usage?: boolean } | undefined;
  const route = {
    engine: { kind: engine.kind },
    replica: { engineName: 'e', upstreamModel: 'pocket', upstreamReasoning: wish.given },
    request: {
      exchange: { requestId: 'r', startedMs: 0, reply, cancellation: new Cancellation() },
      endpoint: request.path.replace('/v1/', ''),
      model: { id: wish.id, replicas: [{ engineName: 'e' }] },
      envelope: readEnvelope(Buffer.from(JSON.stringify(request.body))),
      wantsStream: true,
      wantsUsage: options?.include_usage === true,
      reasoning: wish.wanted,
    },
  } as unknown as Route;
  const stream: EngineStream = {
    hasLetGo: true,
    status: 200,
    contentType: headers['content-type']!,
    firstByteMs: 1,
    read: (reader: EngineStreamReader) => {
      // The relay may write into what it is given.
      for (const piece of pieces) reader.chunkArrived(Buffer.from(piece));
      reader.ended();
    },
    pause: () => {},
    resume: () => {},
    cancel: () => {},
  };
  const heartbeat = relay.keepAlive(route.request);
  const { ending, usage, sendEnd } = await relay.carry(stream, route, heartbeat, 0, () => {});
  heartbeat[Symbol.dispose]();
  sendEnd();
  return { text: written.join(''), ending, usage };
}

/** Every frame cut at the same distance from its beginning, for every distance: each byte is once a border. */
function* cutEverywhere(body: string): Generator<Buffer[]> {
  const frames = body.split(/(?<=\n\n)/).map((frame) => Buffer.from(frame));
  const longest = Math.max(...frames.map(({ length }) => length));
  for (let distance = 1; distance < longest; distance++) {
    const pieces: Buffer[] = [];
    let held = Buffer.alloc(0);
    for (const frame of frames) {
      const at = Math.min(distance, frame.length - 1);
      pieces.push(Buffer.concat([held, frame.subarray(0, at)]));
      held = frame.subarray(at);
    }
    yield [...pieces, held];
  }
}

function faultsOf({ request }: Recording, wish: Wish, text: string): string[] {
  const isChat = request.path === '/v1/chat/completions';
  if (!isChat && request.path !== '/v1/completions') return [];
  const chunks = framesIn(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as StreamedChunk);
  const options = request.body['stream_options'] as { include_usage?: boolean } | undefined;
  return [
    ...chunks.flatMap((chunk) => faultsOfShape(isChat ? 'chatChunk' : 'textChunk', chunk)),
    ...faultsOfStream(chunks, { model: wish.id, hasUsage: options?.include_usage === true, isWhole: true }),
  ];
}
