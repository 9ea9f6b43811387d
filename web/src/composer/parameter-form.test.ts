import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readForm, toForm } from './parameter-form.ts';

test('what is written into the form is read out of it again', () => {
  const parameters = {
    temperature: 0.7,
    maxTokens: 200,
    seed: 0,
    stop: ['\n\n', 'END "now"'],
    tools: [
      {
        type: 'function' as const,
        function: { name: 'add', description: 'Adds', parameters: { type: 'object' } },
      },
    ],
  };
  assert.deepEqual(readForm(toForm(parameters)), { parameters });
  assert.deepEqual(readForm(toForm({})), { parameters: {} });
});

test('every field that cannot be used is named', () => {
  const read = readForm({
    ...toForm({}),
    temperature: '3',
    topP: 'x',
    stop: 'a\nb\nc\nd\ne',
    tools: '{"no":"list"}',
  });
  assert.ok('problems' in read);
  assert.deepEqual([...read.problems], ['temperature', 'topP', 'stop', 'tools']);
});
