import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { randomSchemas } from '#harness/random-schema';
import { createValidator } from '#harness/schema-validator';
import { startPocketEngine } from './pocket-engine.ts';
import type { ChatAnswer, PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
before(async () => {
  engine = await startPocketEngine();
});
after(() => engine.close());

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
    likes: { type: 'array', items: { enum: ['tea', 'coffee'] }, maxItems: 2 },
  },
  required: ['name', 'age', 'likes'],
  additionalProperties: false,
};
const ask = [{ role: 'user', content: 'Invent a person. Answer in JSON.' }];
const shaped = (schema: unknown): object => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema },
});

test('json_schema shapes the answer, after the thought where there is one', async () => {
  const isPerson = createValidator(person);
  for (const model of ['alpha-R1', 'beta-4-scout', 'gamma-oss-120b']) {
    const answer = await engine.chat({
      model,
      messages: ask,
      temperature: 0.8,
      seed: 4,
      separate_reasoning: true,
      response_format: shaped(person),
    });
    const message = answer.choices[0]?.message;
    assert.equal(answer.choices[0]?.finish_reason, 'stop');
    assert.ok(isPerson(JSON.parse(message?.content ?? '')), `${model}: ${message?.content}`);
    assert.equal(message?.reasoning !== undefined, model !== 'beta-4-scout');
  }
});

test('an object with thousands of optional properties can end at any time', async () => {
  const names = Array.from({ length: 3000 }, (_unused, index) => `p${index}`);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    additionalProperties: false,
  };
  const { choices } = await engine.chat({
    model: 'beta-4-scout',
    messages: ask,
    temperature: 0.8,
    seed: 4,
    max_tokens: 60,
    response_format: shaped(schema),
  });
  const answer = JSON.parse(choices[0]?.message.content ?? '') as object;
  assert.ok(Object.keys(answer).every((name) => names.includes(name)));
});

test('json_object gives an object, and scores do not disturb it', async () => {
  const body = {
    model: 'beta-4-scout',
    messages: ask,
    temperature: 0,
    response_format: { type: 'json_object' },
  };
  const plain = await engine.chat(body);
  const text = plain.choices[0]?.message.content ?? '';
  assert.equal(typeof JSON.parse(text), 'object');
  const scored = await engine.chat({ ...body, logprobs: true });
  assert.equal(scored.choices[0]?.logprobs?.content.map(({ token }) => token).join(''), text);
});

test('shapes also hold in text completions and beside tools', async () => {
  const isPerson = createValidator(person);
  const { choices } = await engine.complete({
    model: 'beta-4-scout',
    prompt: 'A person:',
    max_tokens: 200,
    response_format: shaped(person),
  });
  assert.ok(isPerson(JSON.parse(choices[0]?.text ?? '')));
  const tools = [{ type: 'function', function: { name: 'look_up', description: 'Look up a word' } }];
  const beside = await engine.chat({
    model: 'beta-4-scout',
    messages: ask,
    tools,
    response_format: shaped(person),
    temperature: 0,
  });
  const message = beside.choices[0]?.message;
  if (message?.tool_calls === undefined) assert.ok(isPerson(JSON.parse(message?.content ?? '')));
  else assert.equal(message.tool_calls[0]?.function.name, 'look_up');
});

test('undeclared properties are written where they must be, unless the caller says that the schema is strict', async () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 8 } },
    required: ['name'],
    minProperties: 2,
    maxProperties: 2,
  };
  const reply = (strict: object) =>
    engine.post('/v1/chat/completions', {
      model: 'beta-4-scout',
      messages: ask,
      max_tokens: 200,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, ...strict } },
    });
  assert.equal((await reply({ strict: true })).status, 400);
  for (const strict of [{}, { strict: false }]) {
    const { status, body } = await reply(strict);
    assert.equal(status, 200, JSON.stringify(body));
    const text = (body as ChatAnswer).choices[0]?.message.content ?? '';
    assert.ok(createValidator(schema)(JSON.parse(text)), text);
  }
});

test('a model that would run on with undeclared properties ends where the declared ones do', async () => {
  const birds = { type: 'array', items: { type: 'string' } };
  const answer = await engine.chat({
    model: 'beta-4-scout',
    messages: [{ role: 'user', content: 'Name three birds. Answer in JSON.' }],
    temperature: 0,
    response_format: shaped({ type: 'object', properties: { birds }, required: ['birds'] }),
  });
  assert.deepEqual(Object.keys(JSON.parse(answer.choices[0]?.message.content ?? '') as object), ['birds']);
});

/** Lengthen with `GATEHOUSE_RANDOM_SCHEMAS=1000`. */
const schemaCount = Number(process.env['GATEHOUSE_RANDOM_SCHEMAS'] ?? '48');

test('random schemas: every answer satisfies its schema, or the schema is refused by name', async (context) => {
  const schemas = fc.sample(randomSchemas(), { numRuns: schemaCount, seed: 20_261_115 });
  let refused = 0;
  const check = async (schema: unknown, seed: number): Promise<void> => {
    const reply = await engine.post('/v1/chat/completions', {
      model: 'beta-4-scout',
      messages: ask,
      temperature: 1,
      seed,
      max_tokens: 700,
      response_format: shaped(schema),
    });
    if (reply.status === 400) {
      refused += 1;
      assert.match(JSON.stringify(reply.body), /"param":"response_format\.json_schema\.schema/);
      return;
    }
    assert.equal(reply.status, 200, `${JSON.stringify(reply.body)} for ${JSON.stringify(schema)}`);
    const [choice] = (reply.body as ChatAnswer).choices;
    const text = choice?.message.content ?? '';
    assert.equal(choice?.finish_reason, 'stop', `${JSON.stringify(schema)} gave ${text}`);
    assert.ok(createValidator(schema)(JSON.parse(text)), `${JSON.stringify(schema)} gave ${text}`);
  };
  for (let from = 0; from < schemas.length; from += 8) {
    await Promise.all(schemas.slice(from, from + 8).map((schema, index) => check(schema, from + index)));
  }
  context.diagnostic(`${schemas.length - refused} schemas answered, ${refused} refused`);
  assert.ok(refused < schemas.length / 2, `${refused} of ${schemas.length} were refused`);
});
