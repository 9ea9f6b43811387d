import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutputParser } from './output-parser.ts';
import type { OutputEvent, OutputParserOptions } from './output-parser.ts';
import { toolCallFormatOf } from './tool-call-formats.ts';

const calls = toolCallFormatOf('<tool_call>');
const llama = toolCallFormatOf('{"name": "…", "parameters": {}}');
const options: OutputParserOptions = {
  thought: { open: '<think>', close: '</think>' },
  startsInThought: false,
  calls,
  stops: ['STOP', 'ÖRE'],
};

/** Every way to cut the text into three pieces must tell the same story. */
function readInPieces(text: string, parserOptions: OutputParserOptions): OutputEvent[][] {
  const bytes = Buffer.from(text);
  const stories: OutputEvent[][] = [];
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      const parser = createOutputParser(parserOptions);
      const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      stories.push(joinTexts([...pieces.flatMap((piece) => parser.push(piece)), ...parser.finish()]));
    }
  }
  return stories;
}

function joinTexts(events: readonly OutputEvent[]): OutputEvent[] {
  const joined: OutputEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (last !== undefined && 'text' in last && 'text' in event && last.kind === event.kind) {
      joined[joined.length - 1] = { ...last, text: last.text + event.text };
    } else joined.push(event);
  }
  return joined;
}

const stories: readonly (readonly [string, string, Partial<OutputParserOptions>, OutputEvent[]])[] = [
  [
    'a thought, an answer and a stop string in other letters',
    '<think>\nhm ö\n</think>\n\nJa, <b>!ÖRE weg',
    {},
    [
      { kind: 'thought-began' },
      { kind: 'thought', text: '\nhm ö\n' },
      { kind: 'thought-ended' },
      { kind: 'text', text: '\n\nJa, <b>!' },
      { kind: 'stopped', by: 'ÖRE' },
    ],
  ],
  [
    'a thought the template has opened',
    'so</think>x <think> y',
    { startsInThought: true },
    [{ kind: 'thought', text: 'so' }, { kind: 'thought-ended' }, { kind: 'text', text: 'x <think> y' }],
  ],
  [
    'two calls, one of which quotes the closing marker and a stop string',
    'Look: \n<tool_call>\n{"name": "a", "arguments": {"t": "</tool_call> STOP \\" }"}}\n</tool_call>\n<tool_call>\n{"name": "b", "arguments": {}}\n</tool_call>',
    {},
    [
      { kind: 'text', text: 'Look:' },
      { kind: 'call-began', name: 'a' },
      { kind: 'call-arguments', text: '{"t": "</tool_call> STOP \\" }"}' },
      { kind: 'call-ended' },
      { kind: 'call-began', name: 'b' },
      { kind: 'call-arguments', text: '{}' },
      { kind: 'call-ended' },
    ],
  ],
  [
    'two calls in one array, as Mistral writes them',
    'So:\n[TOOL_CALLS] [{"name": "a", "arguments": {"t": ["],", {}]}}, {"name": "b", "arguments": {}}] Done.',
    { calls: toolCallFormatOf('[TOOL_CALLS]') },
    [
      { kind: 'text', text: 'So:' },
      { kind: 'call-began', name: 'a' },
      { kind: 'call-arguments', text: '{"t": ["],", {}]}' },
      { kind: 'call-ended' },
      { kind: 'call-began', name: 'b' },
      { kind: 'call-arguments', text: '{}' },
      { kind: 'call-ended' },
      { kind: 'text', text: ' Done.' },
    ],
  ],
  [
    'a call without markers, as Llama writes it',
    '\n{"name": "a", "parameters": {"t": "}"}}',
    { calls: llama },
    [
      { kind: 'call-began', name: 'a' },
      { kind: 'call-arguments', text: '{"t": "}"}' },
      { kind: 'call-ended' },
    ],
  ],
  [
    'the same text later in an answer is no call',
    'Write {"name": "a", "parameters": {}}',
    { calls: llama },
    [{ kind: 'text', text: 'Write {"name": "a", "parameters": {}}' }],
  ],
  [
    'markers that come to nothing',
    '<think <tool_call STO P <',
    {},
    [{ kind: 'text', text: '<think <tool_call STO P <' }],
  ],
  [
    'markers are text where nothing is to be told apart',
    '<think>a',
    { thought: undefined },
    [{ kind: 'text', text: '<think>a' }],
  ],
];

for (const [name, text, changes, expected] of stories) {
  test(name, () => {
    for (const story of readInPieces(text, { ...options, ...changes })) assert.deepEqual(story, expected);
  });
}

test('half a character at the end is dropped, never shown broken', () => {
  const parser = createOutputParser(options);
  const events = [...parser.push(Buffer.from('a€').subarray(0, 3)), ...parser.finish()];
  assert.deepEqual(events, [{ kind: 'text', text: 'a' }]);
});
