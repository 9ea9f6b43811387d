import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalCodes } from '../../../src/vocabulary/refusal.ts';
import { CallFailed } from '../client/call-failed.ts';
import { failureSentence } from './failure-sentence.ts';
import { de } from '../language/de/first.ts';
import { en } from '../language/en/first.ts';
import { wordFiles } from '../language/languages.ts';

test('every code that the service refuses with has a sentence in every language', async () => {
  const others = await Promise.all(Object.values(wordFiles).map((files) => files.first()));
  const refused = (code: string) => new CallFailed({ route: 'GET /console/usage', status: 400, code });
  for (const code of [...refusalCodes, 'unreachable', 'unreadable']) {
    const sentences = [en, ...others].map((words) => failureSentence(refused(code), words));
    for (const sentence of sentences) assert.match(sentence, /^[\p{Lu}\p{Lo}].*[.。]$/su, code);
    assert.equal(new Set(sentences).size, sentences.length, `${code} is translated`);
  }
});

test('a place or a field says more than the code alone, and how long to wait', () => {
  const wrong = new CallFailed({
    route: 'POST /console/sign-in/password',
    status: 401,
    code: 'sign_in_required',
  });
  assert.match(failureSentence(wrong, de), /Passwort/);
  const network = {
    route: 'POST /console/keys',
    status: 400,
    code: 'invalid_parameter',
    param: 'networks.0',
  } as const;
  assert.match(failureSentence(new CallFailed(network), de), /Netze/);
  const slow = { ...network, code: 'rate_limit_exceeded', retryAfterSeconds: 300 };
  assert.match(failureSentence(new CallFailed(slow), de), /in 5 Minuten/);
});
