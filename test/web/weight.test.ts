import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';

const dist = new URL('../../web/dist/', import.meta.url);
const page = readFileSync(new URL('index.html', dist), 'utf8');

test('sign-in and the chat come in less than 180 KB of compressed script, with the words of another language in less than 200', () => {
  const scripts = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = '']) => path);
  assert.ok(scripts.length > 0);
  const english = scripts.reduce((sum, path) => sum + compressedBytes(path), 0);
  assert.ok(english < 180_000, `${english} bytes in ${scripts.join(', ')}`);
  const others = readdirSync(new URL('assets', dist)).filter((name) => /^first-.*\.js$/.test(name));
  assert.ok(others.length > 0);
  for (const name of others) assert.ok(english + compressedBytes(`assets/${name}`) < 200_000, name);
});

function compressedBytes(path: string): number {
  return statSync(new URL(`${path}.br`, dist)).size;
}

test('the page holds no inline script, style or handler', () => {
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/i);
});
