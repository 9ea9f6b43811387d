import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reservedPaths } from '../../src/settings/reserved-paths.ts';

test('no model can have the path of a page', () => {
  const folder = new URL('../../web/src/app/', import.meta.url);
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const pages = sources
    .flatMap((source) => [...source.matchAll(/<Route path=(?:"|\{\/\^\\)\/(?:\(\?:)?(?<first>[\w-]+)/g)])
    .map(({ groups }) => groups?.['first'] ?? '');
  assert.ok(pages.includes('chat') && pages.includes('settings') && pages.length > 8, pages.join());
  assert.deepEqual(
    pages.filter((page) => !reservedPaths.has(page)),
    [],
  );
});
