import { toolConsent } from '#contract/messages';
import { FrameCutter, forEachFrame, frameData, jsonFrame } from '#dialects/sse';
import type { SequencedEvent } from '#vocabulary/conversations';
import type { PeerService } from '#vocabulary/peers';
import type { AnswerRegistry } from './answer-registry.ts';
import { nobodyIsAsked } from './missing.ts';
import { type Decision, RunningCall } from './running-call.ts';
import type { RunningMessage } from './running-message.ts';

/** A gateway that is this far behind is let go; it comes back and goes on from what it has. */
const maxBufferedBytes = 4 * 1024 * 1024;
const heartbeatMs = 5_000;
const decisions: readonly Decision[] = [...toolConsent.options, 'refuse'];

/** What this gateway does for others whose pages watch one of its answers. */
export function createPeerAnswers(registry: AnswerRegistry): PeerService {
  return ({ exchange, id, verb, query }) => {
    const { reply, cancellation, method } = exchange;
    const answer = registry.find(query.get('person') ?? '', id);
    if (method === 'POST') {
      if (verb === 'stop') answer.cancellation.cancel('stopped');
      else requireAsked(answer, query.get('decision'));
      reply.begin(200, ['content-type', 'application/json']);
      reply.end('{}');
      return;
    }
    const after = query.get('after');
    reply.begin(200, ['content-type', 'text/event-stream']);
    reply.write(':\n\n');
    const beat = setInterval(() => reply.write(':\n\n'), heartbeatMs).unref();
    let isOver = false;
    const forget = answer.subscribe(after === null ? undefined : Number(after), (entry) => {
      if (isOver) return;
      reply.write(jsonFrame(entry));
      if (entry.event.type === 'ended' || reply.bufferedBytes > maxBufferedBytes) finish();
    });
    cancellation.onCancel(finish);

    function finish(): void {
      if (isOver) return;
      isOver = true;
      clearInterval(beat);
      // The first events come while nobody knows yet how to stop them.
      queueMicrotask(() => forget());
      reply.end();
    }
  };
}

function requireAsked(answer: RunningMessage, decision: string | null): void {
  const [decided] = decisions.filter((each) => each === decision);
  if (decided === undefined || !(answer instanceof RunningCall) || !answer.decide(decided))
    throw nobodyIsAsked();
}

/** Ends without a word when the other gateway dies. */
export async function* readEntries(body: AsyncIterable<Uint8Array>): AsyncIterable<SequencedEvent> {
  const cutter = new FrameCutter();
  try {
    for await (const bytes of body) {
      const frames = cutter.push(Buffer.from(bytes));
      const entries: SequencedEvent[] = [];
      if (frames !== undefined)
        forEachFrame(frames, (frame) => {
          const data = frameData(frame);
          if (data !== undefined) entries.push(JSON.parse(data) as SequencedEvent);
        });
      yield* entries;
    }
  } catch {
    // Whoever reads asks again, or sees what was stored.
  }
}
