import assert from 'node:assert/strict';
import test from 'node:test';
import { readRequestPath } from './request-path.ts';

const cases: readonly (readonly [target: string, path: string | undefined])[] = [
  ['/api/chat/completions', '/api/chat/completions'],
  ['/api//chat///completions/', '/api/chat/completions'],
  ['/', '/'],
  ['//', '/'],
  ['/beta-4-scout/v1/models?limit=1', '/beta-4-scout/v1/models'],
  ['/api/models/openai%2Fgamma', '/api/models/openai/gamma'],
  ['/a%20b', '/a b'],
  ['http://evil.example/api/models', '/api/models'],
  ['http://evil.example', '/'],
  ['*', undefined],
  ['evil', undefined],
  ['/beta/v1/../../metrics', undefined],
  ['/beta/v1/%2e%2e/metrics', undefined],
  ['/beta/v1/%252e%252e/metrics', undefined],
  ['/beta/./v1', undefined],
  ['/beta\\v1', undefined],
  ['/beta/%5c..', undefined],
  ['/beta/%00', undefined],
  ['/beta/%zz', undefined],
  ['/beta/%ff', undefined],
];

for (const [target, path] of cases) {
  test(`${target} is ${path ?? 'refused'}`, () => assert.equal(readRequestPath(target)?.path, path));
}
