import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { loadSettings, settingsDocument, settingsJsonSchema, showSettings } from '#settings';
import { generatedDocuments } from './generated-documents.ts';

for (const [path, text] of generatedDocuments()) {
  test(`${path} is what the code says; if not, run: npm run docs`, () => {
    assert.equal(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), text);
  });
}

test('the schema for editors accepts what the loader accepts and refuses what it refuses', () => {
  const validate = new Ajv2020({ allErrors: true }).compile(settingsJsonSchema());
  const defaults = showSettings(loadSettings({ environment: {}, workingDirectory: '/' }));
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(settingsDocument()) ?? [];
  for (const good of [defaults, example, 'x-mine: 1', 'heartbeat: off\nlimits: { maxBody: 1000000 }']) {
    assert.ok(validate(parse(good)), JSON.stringify(validate.errors));
  }
  for (const bad of [
    'lissten: 1',
    'drain: 30',
    'models: [{ path: a }]',
    'log: { level: loud }',
    'limits: 3',
  ]) {
    assert.ok(!validate(parse(bad)), bad);
  }
});
