import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from './event-log.ts';

test('a reader is given exactly what it has not seen, or told that it is too far behind', () => {
  const log = new EventLog();
  assert.deepEqual(log.after(0), []);
  assert.equal(log.after(1), undefined, 'nobody can have seen what has not happened');
  for (let count = 1; count <= 10_000; count += 1) log.add({ type: 'content', text: String(count) });
  assert.equal(log.after(0), undefined);
  const late = log.after(9_990)?.map(({ event }) => (event.type === 'content' ? event.text : ''));
  assert.deepEqual(late, ['9991', '9992', '9993', '9994', '9995', '9996', '9997', '9998', '9999', '10000']);
  assert.deepEqual(log.after(10_000), []);
});

test('long events do not pile up', () => {
  const log = new EventLog();
  for (let count = 0; count < 100; count += 1) log.add({ type: 'content', text: 'x'.repeat(100_000) });
  assert.ok((log.after(99)?.length ?? 0) === 1 && log.after(80) === undefined);
});
