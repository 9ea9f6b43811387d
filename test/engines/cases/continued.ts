import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { hearStream } from '#harness/heard-answer';
import { openStream } from '#harness/http-client';
import { waitUntil } from '#harness/wait-until';
import { startBreakingFronts } from '../breaking-front.ts';
import { answersAtOnce, ask, type EngineStage } from '../stage.ts';

const wordsBefore = 5;

/** An engine is lost in the middle of an answer, and the same kind of engine goes on with the words that are there. */
export function proveContinued({ engine }: EngineStage): void {
  test(`${engine.kind}: an answer that broke off is gone on with, as one stream`, async () => {
    await using fronts = new AsyncDisposableStack();
    const [first, second] = await startBreakingFronts(engine.url, 2, wordsBefore);
    for (const front of [first, second]) if (front !== undefined) fronts.use(front);
    const gateway = await startGateway({
      settings: {
        listen: '127.0.0.1:0',
        engines: [
          { name: 'first', kind: engine.kind, url: first?.url },
          { name: 'second', kind: engine.kind, url: second?.url },
        ],
        models: [{ id: engine.model, path: 'pair', engines: ['first', 'second'] }],
      },
    });
    fronts.defer(() => gateway.stop());
    const story = {
      model: engine.model,
      messages: ask('Count from one to twenty in words.'),
      max_tokens: 40,
      stream: true,
      stream_options: { include_usage: true },
      ...answersAtOnce,
    };
    const tell = () => openStream(`${gateway.url}/pair/v1/chat/completions`, { body: story });
    const broken = await hearStream(await tell());
    await waitUntil('the books know of both engines', () =>
      gateway.usageRecords().some(({ continuations }) => continuations === 1),
    );
    const unbroken = await hearStream(await tell());
    const [one] = broken.choices;
    assert.match(one?.finish ?? '', /^(?:stop|length)$/);
    assert.equal(one?.content, unbroken.choices[0]?.content);
    assert.ok(Number(broken.usage?.['completion_tokens']) > wordsBefore);
  });
}
