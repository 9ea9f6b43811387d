import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeLink } from './safe-link.ts';

test('only the web and mailboxes can be linked', () => {
  assert.equal(safeLink('https://example.org/a?b#c'), 'https://example.org/a?b#c');
  assert.equal(safeLink('mailto:a@example.org'), 'mailto:a@example.org');
  const hostile = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.org/1',
    'file:///etc/passwd',
    '//example.org',
    '/console/session',
    'relative',
    '',
  ];
  for (const address of hostile) assert.equal(safeLink(address), undefined, address);
});
