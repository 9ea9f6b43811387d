import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';

const dist = new URL('../../web/dist/', import.meta.url);
const page = readFileSync(new URL('index.html', dist), 'utf8');

test('sign-in and the chat come in less than 175 KB of compressed script', () => {
  const scripts = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = '']) => path);
  assert.ok(scripts.length > 0);
  const bytes = scripts.reduce((sum, path) => sum + statSync(new URL(`${path}.br`, dist)).size, 0);
  assert.ok(bytes < 175_000, `${bytes} bytes in ${scripts.join(', ')}`);
});

test('the page holds no inline script, style or handler', () => {
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/i);
});
