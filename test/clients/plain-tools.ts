import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { framesIn } from '#harness/http-client';
import { waitUntil } from '#harness/wait-until';
import { runProgram } from './command-line.ts';
import { boston, endless, patienceMs, sum, weatherArguments, weatherTool } from './questions.ts';
import { leavesEarly } from './stage.ts';
import type { Stage } from './stage.ts';

/** What is on every machine: `fetch`, curl, and Python without packages. */
export function testPlainTools(stage: Stage): void {
  const model = 'beta-4-scout';

  for (const { name, baseURL, apiKey } of stage.doors(model)) {
    const address = `${baseURL}chat/completions`;
    const headers = { authorization: `bearer ${apiKey}`, 'content-type': 'application/json' };
    const post = (body: object, signal?: AbortSignal) =>
      fetch(address, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });

    test(`${name}: fetch reads an answer, a stream, a call and a refusal`, async () => {
      const whole = (await (await post({ model, messages: sum, temperature: 0 })).json()) as Answer;
      assert.match(whole.choices[0]!.message.content!, /42/);
      const stream = await post({ model, messages: sum, temperature: 0, stream: true });
      let text = '';
      for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) text += piece;
      assert.equal(contentOf(text), whole.choices[0]!.message.content);

      const request = {
        model,
        messages: boston,
        tools: [weatherTool],
        tool_choice: 'required',
        temperature: 0,
      };
      const called = (await (await post(request)).json()) as Answer;
      const { function: call } = called.choices[0]!.message.tool_calls![0]!;
      assert.deepEqual(JSON.parse(call.arguments), weatherArguments);

      const refused = await post({ model, messages: [] });
      assert.equal(refused.status, 400);
      assert.match(((await refused.json()) as { error: { message: string } }).error.message, /messages/);
    });

    test(`${name}: fetch leaves, and the work ends`, async () => {
      const request = { model, messages: sum, ...endless };
      await leavesEarly(stage, async () => {
        const leaving = new AbortController();
        const stream = await post({ ...request, stream: true }, leaving.signal);
        await stream.body!.getReader().read();
        leaving.abort();
      });
      await leavesEarly(stage, () => assert.rejects(post(request, AbortSignal.timeout(patienceMs))));
    });

    const curl = (body: object | undefined, ...words: string[]) =>
      runProgram(
        'curl',
        [
          '--silent',
          '--show-error',
          '--fail-with-body',
          ...Object.entries(headers).flatMap(([header, value]) => ['-H', `${header}: ${value}`]),
          ...(body === undefined ? [] : ['-d', '@-']),
          ...words,
        ],
        body === undefined ? {} : { input: JSON.stringify(body) },
      );

    test(`${name}: curl, whole, streamed, chunked upload, HTTP/1.0, and its exit status on a refusal`, async () => {
      const request = { model, messages: sum, temperature: 0 };
      for (const words of [[], ['-H', 'Transfer-Encoding: chunked'], ['--http1.0'], ['--compressed']]) {
        const { status, stdout, stderr } = await curl(request, ...words, address);
        assert.equal(status, 0, stderr);
        assert.match((JSON.parse(stdout) as Answer).choices[0]!.message.content!, /42/);
      }
      const streamed = await curl({ ...request, stream: true }, '--no-buffer', address);
      assert.match(contentOf(streamed.stdout), /42/);
      assert.ok(streamed.stdout.endsWith('data: [DONE]\n\n'));

      const refused = await curl({ ...request, model: 'nobody' }, '-w', '%{stderr}%{http_code}', address);
      assert.deepEqual([refused.status, refused.stderr.slice(-3)], [22, '404']);
      assert.equal((JSON.parse(refused.stdout) as { error: { code: string } }).error.code, 'model_not_found');

      const models = await curl(undefined, `${baseURL}models`);
      assert.ok(
        (JSON.parse(models.stdout) as { data: { id: string }[] }).data.some(({ id }) => id === model),
      );
    });

    test(`${name}: curl runs out of time, or is interrupted, and the work ends`, async () => {
      const request = { model, messages: sum, ...endless };
      await leavesEarly(stage, async () => {
        assert.equal((await curl(request, '--max-time', String(patienceMs / 1000), address)).status, 28);
      });
      await leavesEarly(stage, async () => {
        const body = JSON.stringify({ ...request, stream: true });
        const words = ['-sN', '-H', `authorization: bearer ${apiKey}`, '--json', body, address];
        const { stdout } = await runProgram('curl', words, {
          interruptWhen: (seen) => seen.includes('data:'),
        });
        assert.ok(!stdout.includes('[DONE]'));
      });
    });

    test(`${name}: Python's standard library, from an answer to a call that is left`, async () => {
      const left = () => stage.gateway.usageRecords().filter(({ ending }) => ending === 'caller-left').length;
      const before = left();
      const script = fileURLToPath(new URL('python_client.py', import.meta.url));
      const { status, stdout, stderr } = await runProgram('python3', [script, baseURL, apiKey, model]);
      assert.equal(status, 0, stderr);
      const seen = JSON.parse(stdout) as PythonSaw;
      assert.match(seen.whole, /42/);
      assert.deepEqual(seen.streamed, { text: seen.whole, done: true });
      assert.ok(seen.models.includes(model));
      assert.deepEqual([seen.refused.status, seen.refused.param], [400, 'temperature']);
      assert.deepEqual(seen.kept_alive, [200, 200, 'timed out', 'left']);
      await waitUntil('the books know of both that left', () => left() === before + 2);
    });
  }

  test('a web page may use the proxy door with its key, and not the door that needs none', async () => {
    const [proxy, direct] = stage.doors(model);
    const ask = (baseURL: string) =>
      fetch(`${baseURL}chat/completions`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example.org',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-stainless-os',
        },
      });
    const allowed = await ask(proxy!.baseURL);
    assert.equal(allowed.status, 204);
    assert.match(allowed.headers.get('access-control-allow-headers')!, /x-stainless-os/);
    assert.equal((await ask(direct!.baseURL)).status, 403);
  });
}

interface Answer {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    };
  }[];
}

interface PythonSaw {
  readonly whole: string;
  readonly streamed: { readonly text: string; readonly done: boolean };
  readonly models: readonly string[];
  readonly refused: { readonly status: number; readonly param: string };
  readonly kept_alive: readonly (number | string)[];
}

function contentOf(events: string): string {
  return framesIn(events)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}
