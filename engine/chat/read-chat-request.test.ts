import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedChatFields } from '#vocabulary/embedded-fields';
import { plainProfile } from '../engine-profile.ts';
import type { JsonObject } from '../json-object.ts';
import { readChatRequest } from './read-chat-request.ts';

test('the fields that are said to be heeded are those that are looked at', () => {
  const looked = new Set<string>();
  const body: JsonObject = {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ],
    continue_final_message: true,
    logprobs: true,
    stream: true,
    tools: [{ type: 'function', function: { name: 'look' } }],
  };
  const watched = new Proxy(body, {
    get(target, name) {
      looked.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
  readChatRequest(watched, plainProfile('m'), 1000);
  assert.deepEqual([...looked].toSorted(), [...embeddedChatFields].toSorted());
});
