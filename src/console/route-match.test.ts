import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteDefinition } from '#contract/route';
import { createRouteMatcher } from './route-match.ts';

test('a route that does not say who may call it, or that nobody handles, does not start', () => {
  const name = 'GET /console/secrets' as const;
  const handlers = { [name]: () => {} };
  const undeclared = { answer: 'json' } as RouteDefinition;
  const declared: RouteDefinition = { access: 'administrator', answer: 'json' };
  assert.throws(() => createRouteMatcher({ [name]: undeclared }, handlers), /does not say who may call it/);
  assert.throws(() => createRouteMatcher({ [name]: declared }, {}), /nobody handles/);
  assert.equal(createRouteMatcher({ [name]: declared }, handlers)('GET', '/console/secrets').name, name);
});
