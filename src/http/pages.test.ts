import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Exchange } from '#vocabulary/exchange';
import { createPages } from './pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pages-'));
after(() => rmSync(folder, { recursive: true }));
for (const [name, content] of [
  ['index.html', 'plain'],
  ['index.html.br', 'as brotli'],
  ['index.html.gz', 'as gzip'],
  ['font.woff2', 'a font'],
] as const)
  writeFileSync(join(folder, name), content);
const pages = createPages(folder, () => undefined);

test('a browser gets the copy that it can read, and the address of a copy is no address', () => {
  assert.deepEqual(get('/', { 'accept-encoding': 'gzip, deflate, br' }), [200, 'br', 'as brotli']);
  assert.deepEqual(get('/index.html', { 'accept-encoding': 'gzip' }), [200, 'gzip', 'as gzip']);
  assert.deepEqual(get('/'), [200, undefined, 'plain']);
  assert.deepEqual(get('/font.woff2', { 'accept-encoding': 'br' }), [200, undefined, 'a font']);
  assert.throws(() => get('/index.html.br', { accept: '*/*' }), /nothing at/);
});

function get(path: string, headers: Exchange['headers'] = {}): unknown[] {
  const seen: unknown[] = [];
  const reply = {
    begin: (status: number, names: readonly string[]) => {
      const at = names.indexOf('content-encoding');
      seen.push(status, at === -1 ? undefined : names[at + 1]);
    },
    end: (body: Buffer) => void seen.push(body.toString()),
  };
  void pages({ path, method: 'GET', headers, reply } as unknown as Exchange);
  return seen;
}
