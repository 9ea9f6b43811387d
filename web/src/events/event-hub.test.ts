import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GenerationEvent, PersonEvent } from '#contract/generations';
import type { Message } from '#contract/messages';
import { createEventHub, type HubWord } from './event-hub.ts';

test('words that come together are told together, before what follows them, and once to whoever joins', () => {
  const source = new EventTarget();
  Object.assign(globalThis, {
    EventSource: function EventSource() {
      return Object.assign(source, { close: () => undefined });
    },
  });
  const say = (event: PersonEvent) =>
    source.dispatchEvent(new MessageEvent(event.type, { data: JSON.stringify(event) }));
  let sequence = 0;
  const answer = (event: GenerationEvent) =>
    say({ type: 'answer', generationId: 'one', sequence: (sequence += 1), event });
  const hub = createEventHub();
  const join = () => {
    const told: string[] = [];
    const window = { tell: (word: HubWord) => told.push(inShort(word)) };
    hub.hear(window, { kind: 'join', personId: 'somebody', address: '/events' });
    return { told, leave: () => hub.hear(window, { kind: 'leave' }) };
  };

  const first = join();
  say({ type: 'hello', generations: [] });
  answer({ type: 'snapshot', phase: 'waiting', message: { content: '', reasoning: '' } as Message });
  answer({ type: 'reasoning', text: 'Hm' });
  answer({ type: 'reasoning', text: '.' });
  answer({ type: 'content', text: 'A ' });
  answer({ type: 'content', text: 'gate' });
  const second = join();
  answer({ type: 'content', text: ' with ' });
  answer({ type: 'content', text: 'doors' });
  say({
    type: 'generationStarted',
    generation: { id: 'two', chatId: null, messageId: 'm', model: 'beta', startedAt: 0 },
  });

  const end = ['content " with doors"', 'generationStarted'];
  assert.deepEqual(first.told, ['hello', 'snapshot ""', 'reasoning "Hm."', 'content "A gate"', ...end]);
  assert.deepEqual(second.told, ['hello', 'snapshot "A gate"', ...end]);
  first.leave();
  second.leave();
});

function inShort(word: HubWord): string {
  if (word.kind === 'lost') return 'lost';
  if (word.event.type !== 'answer') return word.event.type;
  const { event } = word.event;
  const text = 'text' in event ? event.text : 'message' in event ? event.message.content : '';
  return `${event.type} ${JSON.stringify(text)}`;
}
