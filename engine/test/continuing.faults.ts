import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
before(async () => {
  engine = await startPocketEngine();
});
after(() => engine.close());

interface Written {
  readonly thoughts: string;
  readonly content: string;
}

const person = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    hobbies: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'age', 'hobbies'],
};

/** What a caller has seen after every frame. */
async function listen(body: object): Promise<Written[]> {
  const seen: Written[] = [{ thoughts: '', content: '' }];
  for await (const { choices } of engine.stream('/v1/chat/completions', { ...body, stream: true })) {
    const { reasoning = '', content } = choices[0]?.delta ?? {};
    const last = seen.at(-1) ?? { thoughts: '', content: '' };
    seen.push({ thoughts: last.thoughts + reasoning, content: last.content + (content ?? '') });
  }
  return seen;
}

/** The same conversation with the beginning of the answer, as the gateway sends it after an engine's death. */
function goOn(
  body: { messages: readonly object[]; max_tokens: number },
  begun: Written,
  tokens: number,
): object {
  const { thoughts, content } = begun;
  const last =
    content === ''
      ? { role: 'assistant', content: `<think>\n${thoughts.trimEnd()}` }
      : { role: 'assistant', reasoning_content: thoughts, content: content.trimEnd() };
  return {
    ...body,
    messages: [...body.messages, last],
    max_tokens: body.max_tokens - tokens,
    continue_final_message: true,
    add_generation_prompt: false,
  };
}

async function countTokens({ thoughts, content }: Written): Promise<number> {
  const thought = `<think>\n${thoughts}`;
  const prompt =
    content === '' ? thought : (thoughts === '' ? '' : `${thought}\n</think>\n\n`) + content.trimEnd();
  const { body } = await engine.post('/tokenize', {
    model: 'beta-4-scout',
    prompt,
    add_special_tokens: false,
  });
  return (body as { count: number }).count;
}

const ask = (question: string) => [{ role: 'user', content: question }];
const cases = [
  {
    name: 'an answer',
    model: 'beta-4-scout',
    messages: ask('Tell me a short story about a fox.'),
    max_tokens: 60,
  },
  {
    name: 'a thought and its answer',
    model: 'gamma-oss-120b',
    messages: ask('What is 17 + 25?'),
    max_tokens: 200,
  },
  {
    name: 'a thought that is cut short',
    model: 'gamma-oss-120b',
    messages: ask('Name three colours.'),
    max_tokens: 40,
  },
  {
    name: 'an answer of a given shape',
    model: 'beta-4-scout',
    messages: ask('Describe a person.'),
    max_tokens: 120,
    response_format: { type: 'json_schema', json_schema: { name: 'person', schema: person } },
  },
];

for (const { name, ...given } of cases) {
  test(`${name} goes on from any place as if it had never stopped`, async () => {
    const body = { ...given, temperature: 0 };
    const seen = await listen(body);
    const whole = seen.at(-1);
    assert.ok(whole !== undefined && whole.content !== '');
    const begun = seen.filter(({ thoughts, content }) => thoughts + content !== '').slice(0, -2);
    for (const start of begun.filter((_, index) => index % 15 === 0)) {
      const rest = (await listen(goOn(body, start, await countTokens(start)))).at(-1);
      assert.deepEqual(
        { thoughts: start.thoughts + rest?.thoughts, content: start.content.trimEnd() + rest?.content },
        whole,
        JSON.stringify(start),
      );
    }
  });
}

const spoken = ({ thoughts, content }: Written) =>
  thoughts === '' ? content : `<think>\n${thoughts.trimStart()}\n</think>\n\n${content}`;

const seeded = { temperature: 1, seed: 11, presence_penalty: 0.3 };

for (const { name, ...given } of cases) {
  for (const sampling of name.startsWith('a thought and') ? [{ temperature: 0 }, seeded] : [seeded]) {
    test(`${name} is the same whatever text is expected, and is there sooner (${JSON.stringify(sampling)})`, async () => {
      const body = { ...given, ...sampling };
      const [whole] = (await listen(body)).slice(-1);
      assert.ok(whole !== undefined);
      const text = spoken(whole);
      const middle = Math.floor(text.length / 2);
      const expected = [
        // Cut where no token need end.
        ...[2, 5].map((part) => text.slice(0, Math.ceil((text.length * part) / 7))),
        `${text.slice(0, middle)} ümlaut 🦊 ${text.slice(middle)}`,
      ];
      for (const expectedText of expected)
        assert.deepEqual(
          (await listen({ ...body, expected_text: expectedText })).at(-1),
          whole,
          JSON.stringify(expectedText),
        );
      const before = await engine.metric('steps_total');
      await listen(body);
      const plain = (await engine.metric('steps_total')) - before;
      await listen({ ...body, expected_text: text });
      const drafted = (await engine.metric('steps_total')) - before - plain;
      assert.ok(drafted < plain / 2, `${drafted} steps instead of ${plain}`);
    });
  }
}
