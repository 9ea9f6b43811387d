import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { ask } from '#harness/service';
import { boston, endless, patienceMs, sum } from './questions.ts';
import { leavesEarly } from './stage.ts';
import type { Stage } from './stage.ts';

/** The official client against the real program with the real model, used as its own guide shows. */
export function testOpenaiPackage(stage: Stage): void {
  const model = 'beta-4-scout';

  for (const { name, ...address } of stage.doors(model)) {
    const client = new OpenAI({ ...address, maxRetries: 0 });

    test(`${name}: the same answer whole, streamed and through the stream helper`, async () => {
      const request = { model, messages: sum, temperature: 0 };
      const { data, request_id: requestId } = await client.chat.completions.create(request).withResponse();
      const content = data.choices[0]!.message.content!;
      assert.match(content, /42/);
      assert.match(requestId ?? '', /^[\w-]{8,}$/);

      let streamed = '';
      let usage: OpenAI.CompletionUsage | null | undefined;
      const options = { stream: true, stream_options: { include_usage: true } } as const;
      for await (const chunk of await client.chat.completions.create({ ...request, ...options })) {
        streamed += chunk.choices[0]?.delta.content ?? '';
        usage = chunk.usage ?? usage;
      }
      assert.equal(streamed, content);
      assert.equal(usage?.completion_tokens, data.usage?.completion_tokens);
      assert.equal(usage?.prompt_tokens, data.usage?.prompt_tokens);

      const pieces: string[] = [];
      const helper = client.chat.completions.stream(request).on('content', (piece) => pieces.push(piece));
      assert.equal(await helper.finalContent(), content);
      assert.equal(pieces.join(''), content);
    });

    test(`${name}: structured outputs with zod, whole, streamed and as a tool`, async () => {
      const Event = z.object({
        name: z.string().max(40),
        day: z.enum(['Friday', 'Saturday', 'Sunday']),
        people: z.array(z.string().max(20)).max(3),
        room: z.number().int().min(1).max(9).nullable(),
      });
      const request = {
        model,
        messages: ask('Alice and Bob go to a fair on Friday. Extract the event.'),
        temperature: 0,
        response_format: zodResponseFormat(Event, 'event'),
      };
      const whole = (await client.chat.completions.parse(request)).choices[0]!.message.parsed;
      assert.ok(Event.safeParse(whole).success);
      const streamed = await client.chat.completions.stream(request).finalChatCompletion();
      assert.deepEqual(streamed.choices[0]!.message.parsed, whole);

      const City = z.object({ city: z.string().max(30), unit: z.enum(['celsius', 'fahrenheit']) });
      const called = await client.chat.completions.parse({
        model,
        messages: boston,
        temperature: 0,
        tools: [zodFunction({ name: 'weather', parameters: City })],
        tool_choice: { type: 'function', function: { name: 'weather' } },
      });
      const call = called.choices[0]!.message.tool_calls![0]!;
      assert.ok(call.type === 'function');
      assert.ok(City.safeParse(call.function.parsed_arguments).success);
      assert.match(called._request_id ?? '', /^[\w-]{8,}$/);
    });

    test(`${name}: several choices, a stop word, log probabilities`, async () => {
      const answer = await client.chat.completions.create({
        model,
        messages: sum,
        n: 2,
        seed: 7,
        stop: ['='],
        logprobs: true,
        top_logprobs: 2,
      });
      assert.deepEqual(
        answer.choices.map(({ index }) => index),
        [0, 1],
      );
      for (const { message, logprobs } of answer.choices) {
        assert.doesNotMatch(message.content!, /=/);
        assert.equal(logprobs?.content?.[0]?.top_logprobs.length, 2);
      }
    });

    test(`${name}: refusals arrive as the client's own classes with code, param and request id`, async () => {
      const failing = (extra: object) =>
        client.chat.completions.create({ model, messages: sum, ...extra }).then(
          () => assert.fail('it should have been refused'),
          (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
        );
      const cases = [
        [{ temperature: 9 }, OpenAI.BadRequestError, 'invalid_parameter', 'temperature'],
        [{ messages: 'hello' }, OpenAI.BadRequestError, 'invalid_parameter', 'messages'],
        [{ reasoning_effort: 'low' }, OpenAI.BadRequestError, 'invalid_parameter', 'reasoning_effort'],
        [{ model: 'gpt-9' }, OpenAI.NotFoundError, 'model_not_found', 'model'],
        [
          { messages: ask('word '.repeat(4000)) },
          OpenAI.BadRequestError,
          'context_length_exceeded',
          'messages',
        ],
      ] as const;
      for (const [extra, kind, code, param] of cases) {
        for (const stream of [false, true]) {
          const error = await failing({ ...extra, stream });
          assert.ok(error instanceof kind, `${code}: ${error.message}`);
          assert.deepEqual([error.code, error.param], [code, param]);
          assert.match(error.requestID ?? '', /^[\w-]{8,}$/);
          assert.doesNotMatch(error.message, /no body/);
        }
      }
    });

    test(`${name}: leaving, by abort and by timeout, whole and streamed, ends the work`, async () => {
      const request = { model, messages: ask('Count.'), ...endless };
      await leavesEarly(stage, async () => {
        const stream = await client.chat.completions.create({ ...request, stream: true });
        for await (const _chunk of stream) break;
      });
      await leavesEarly(stage, async () => {
        const stream = client.chat.completions.stream(request);
        stream.on('content', () => stream.abort());
        await assert.rejects(stream.finalContent(), OpenAI.APIUserAbortError);
      });
      await leavesEarly(stage, async () => {
        const leaving = new AbortController();
        const answer = client.chat.completions.create(request, { signal: leaving.signal });
        setTimeout(() => leaving.abort(), patienceMs);
        await assert.rejects(answer, OpenAI.APIUserAbortError);
      });
      await leavesEarly(stage, async () => {
        const hasty = client.withOptions({ timeout: patienceMs });
        await assert.rejects(hasty.chat.completions.create(request), OpenAI.APIConnectionTimeoutError);
      });
      const after = await client.chat.completions.create({ model, messages: sum, temperature: 0 });
      assert.match(after.choices[0]!.message.content!, /42/);
    });
  }

  for (const { name, ...address } of stage.doors('gamma-oss-120b')) {
    test(`${name}: thinking beside the answer, with every effort`, async () => {
      const client = new OpenAI({ ...address, maxRetries: 0 });
      for (const effort of ['low', 'medium', 'high'] as const) {
        const stream = client.chat.completions.stream({
          model: 'gamma-oss-120b',
          messages: sum,
          temperature: 0,
          reasoning_effort: effort,
          stream_options: { include_usage: true },
        });
        let thought = '';
        for await (const chunk of stream) {
          const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined;
          thought += delta?.reasoning_content ?? '';
        }
        assert.match((await stream.finalContent()) ?? '', /42/);
        assert.doesNotMatch((await stream.finalContent()) ?? '', /<\/?think>/);
        assert.notEqual(thought, '');
        const usage = await stream.totalUsage();
        assert.ok((usage.completion_tokens_details?.reasoning_tokens ?? 0) > 0);
      }
    });
  }

  for (const { name, ...address } of stage.doors('alpha-R1')) {
    test(`${name}: thinking aloud between the tags, and no tools`, async () => {
      const client = new OpenAI({ ...address, maxRetries: 0 });
      const request = { model: 'alpha-R1', messages: sum, temperature: 0 };
      const content = await client.chat.completions.stream(request).finalContent();
      assert.match(content ?? '', /^<think>[^]+<\/think>[^]*42/);
      const tools = [zodFunction({ name: 'weather', parameters: z.object({ city: z.string() }) })];
      await assert.rejects(
        client.chat.completions.create({ ...request, tools }),
        (error) => error instanceof OpenAI.BadRequestError && error.param === 'tools',
      );
    });
  }

  const [proxy, direct] = stage
    .doors(model)
    .map(({ baseURL, apiKey }) => new OpenAI({ baseURL, apiKey, maxRetries: 0 })) as [OpenAI, OpenAI];

  test('direct: text completions, whole and streamed', async () => {
    const request = { model, prompt: 'The capital of France is', max_tokens: 8, temperature: 0 };
    const whole = await direct.completions.create({ ...request, echo: true });
    assert.ok(whole.choices[0]!.text.startsWith(request.prompt));
    let streamed = request.prompt;
    for await (const chunk of await direct.completions.create({ ...request, stream: true }))
      streamed += chunk.choices[0]?.text ?? '';
    assert.equal(streamed, whole.choices[0]!.text);
    await leavesEarly(stage, async () => {
      const stream = await direct.completions.create({ ...request, ...endless, stream: true });
      for await (const _chunk of stream) break;
    });
  });

  test('models: all of them at the proxy door, one at a direct one', async () => {
    const ids = async (client: OpenAI) => {
      const found: string[] = [];
      for await (const served of client.models.list()) found.push(served.id);
      return found.sort();
    };
    assert.deepEqual(await ids(proxy), ['alpha-R1', 'beta-4-scout', 'gamma-oss-120b']);
    assert.deepEqual(await ids(direct), [model]);
    assert.equal((await proxy.models.retrieve('alpha-R1')).id, 'alpha-R1');
    assert.equal((await direct.models.retrieve(model)).id, model);
    await assert.rejects(direct.models.retrieve('alpha-R1'), OpenAI.NotFoundError);
  });

  test('proxy: no key, a wrong key, and what this door does not offer', async () => {
    const stranger = new OpenAI({ baseURL: `${stage.url}/api/`, apiKey: 'gh_wrong', maxRetries: 0 });
    await assert.rejects(
      stranger.chat.completions.create({ model, messages: sum }),
      (error) => error instanceof OpenAI.AuthenticationError && error.code === 'invalid_api_key',
    );
    await assert.rejects(
      proxy.completions.create({ model, prompt: 'Once' }),
      (error) => error instanceof OpenAI.NotFoundError && /chat\/completions|direct/.test(error.message),
    );
  });
}
