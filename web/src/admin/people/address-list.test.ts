import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksAsCsv, readAddresses } from './address-list.ts';

test('a pasted list is read as people write it, once each, and what is no address is told', () => {
  assert.deepEqual(
    readAddresses('a@example.org, B@Example.org;\n"Lovelace, Ada" <ada@example.org>\n\na@example.org'),
    { addresses: ['a@example.org', 'b@example.org', 'ada@example.org'], wrong: [] },
  );
  assert.deepEqual(readAddresses('nobody\nx@y\n@').wrong, ['nobody', 'x@y', '@']);
});

test('an address cannot be a formula', () => {
  assert.equal(
    linksAsCsv([{ email: '=1+1@example.org', url: 'https://x/invitation#t' }]),
    "email,link\r\n'=1+1@example.org,https://x/invitation#t\r\n",
  );
});
