import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStream, send } from '#harness/http-client';
import { recordedRequests, theKey } from './editor-requests.ts';
import type { Stage } from './stage.ts';

/** Editors and front ends that cannot run here: their requests as recorded, and their way of reading answers. */
export function testEditors(stage: Stage): void {
  const authorization = `Bearer ${stage.key}`;

  for (const { client, base, path, headers, body } of recordedRequests) {
    test(`${client}: the answer is there where it looks`, async () => {
      const url = `${stage.url}${base}${path}`;
      const own = Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [name, value === theKey ? stage.key : value]),
      );
      const sent = { headers: { accept: 'application/json', ...own, authorization }, body };
      if (body['stream'] !== true) {
        const { status, json } = await send(url, sent);
        assert.equal(status, 200, JSON.stringify(json));
        const [choice] = json['choices'] as { message: { content: string } }[];
        assert.match(choice!.message.content, /42/);
        return;
      }
      const stream = await openStream(url, sent);
      await stream.ended;
      assert.equal(stream.status, 200, stream.raw().toString());
      const seen = readAsEditorsDo(stream.frames());
      assert.match(seen.content, /42/);
      assert.equal(seen.finish, 'stop');
      if (body['stream_options'] !== undefined) {
        assert.ok(seen.usage!.prompt_tokens > 0 && seen.usage!.completion_tokens > 0);
        assert.ok(seen.usage!.prompt_tokens_details.cached_tokens >= 0);
      }
    });
  }

  test('autocomplete by text completion: a prompt that is cut out of code, many stop words, a stream', async () => {
    const stream = await openStream(`${stage.url}/beta-4-scout/v1/completions`, {
      headers: { authorization: 'Bearer EMPTY' },
      body: {
        model: 'beta-4-scout',
        prompt: 'The capital of France is',
        max_tokens: 12,
        temperature: 0.01,
        stop: ['<fim_prefix>', '<fim_suffix>', '<fim_middle>', '<file_sep>', '\n\n', '\r\n\r\n', '/src/'],
        stream: true,
        suffix: null,
      },
    });
    await stream.ended;
    assert.equal(stream.status, 200);
    assert.ok(stream.chunks().some(({ choices }) => choices[0]?.text !== ''));
  });

  test('lists of models, wherever a client looks for them', async () => {
    for (const path of [
      '/api/models',
      '/api/v1/models',
      '/api/models/',
      '/beta-4-scout/v1/models',
      '/beta-4-scout/models',
    ]) {
      const { status, json } = await send(`${stage.url}${path}`, { headers: { authorization } });
      assert.equal(status, 200, path);
      const entries = json['data'] as { id: string; max_model_len: number }[];
      assert.ok(entries.some(({ id }) => id === 'beta-4-scout'));
      assert.ok(entries.every(({ max_model_len: length }) => length > 0));
    }
  });

  test('a prompt that is too long is recognised as that by the words and code agents look for', async () => {
    for (const base of ['/api', '/beta-4-scout/v1']) {
      const { status, error } = await send(`${stage.url}${base}/chat/completions`, {
        headers: { authorization },
        body: {
          model: 'beta-4-scout',
          messages: [{ role: 'user', content: 'word '.repeat(4000) }],
          stream: true,
        },
      });
      assert.equal(status, 400);
      assert.equal(error.code, 'context_length_exceeded');
      assert.match(error.message.toLowerCase(), /this model's maximum context length is/);
    }
  });

  test('thinking is found under both names and between the tags', async () => {
    const ask = async (path: string, model: string) => {
      const stream = await openStream(`${stage.url}/${path}/v1/chat/completions`, {
        body: {
          model,
          messages: [{ role: 'user', content: 'What is 17 plus 25?' }],
          temperature: 0,
          stream: true,
        },
      });
      await stream.ended;
      return readAsEditorsDo(stream.frames());
    };
    const separate = await ask('gamma-oss-120b', 'gamma-oss-120b');
    assert.notEqual(separate.reasoning, '');
    assert.equal(separate.reasoning, separate.reasoningContent);
    const tagged = await ask('engine-b', 'alpha-R1');
    assert.match(tagged.content, /^<think>\n[^]+\n<\/think>/);
  });
}

interface Seen {
  content: string;
  reasoning: string;
  reasoningContent: string;
  finish: string | undefined;
  usage: Usage | undefined;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

interface EditorChunk {
  readonly choices: readonly {
    readonly delta: { content?: string; reasoning?: string; reasoning_content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Usage | null;
}

function readAsEditorsDo(frames: readonly string[]): Seen {
  const seen: Seen = {
    content: '',
    reasoning: '',
    reasoningContent: '',
    finish: undefined,
    usage: undefined,
  };
  for (const frame of frames) {
    if (frame === '[DONE]') break;
    const { choices, usage } = JSON.parse(frame) as EditorChunk;
    seen.usage = usage ?? seen.usage;
    const [choice] = choices;
    if (choice === undefined) continue;
    seen.content += choice.delta.content ?? '';
    seen.reasoning += choice.delta.reasoning ?? '';
    seen.reasoningContent += choice.delta.reasoning_content ?? '';
    seen.finish = choice.finish_reason ?? seen.finish;
  }
  return seen;
}
