import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readEnvelope, readString, readValue, spliceEnvelope } from '#dialects/envelope';
import { Refusal } from '#vocabulary/refusal';

/** Keys inside nested values stay plain: V8 14 misreads escaped ones (nodejs/node#63785), and it is the judge here. */
const value = fc
  .object({
    key: fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂', ' ', '}', ',', ':'), maxLength: 4 }),
    values: [
      fc.string({ unit: 'binary' }).filter(wellFormed),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ],
    maxDepth: 4,
  })
  .map((inner) => JSON.parse(JSON.stringify(inner)) as unknown);
const nastyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'model',
    'mod\u0065l',
    '__proto__',
    'constructor',
    '',
    '\\',
    '"',
    '\\"',
    '}{',
    '","model":"x',
  ),
  fc.string({ unit: fc.constantFrom('\\', '"', 'a', '{', '}', '[', ']', ',', ':', '\n', '🙂', 'é') }),
);
const object = fc.dictionary(nastyText.filter(wellFormed), fc.oneof(value, nastyText.filter(wellFormed)), {
  maxKeys: 12,
  noNullPrototype: true,
});

/** Every spelling of the same object: blanks between tokens, letters as escapes. */
const spelling = fc.record({
  blank: fc.constantFrom('', ' ', '\n\t', '\r\n  '),
  escapes: fc.constantFrom('none', 'some', 'all'),
});

function spell(fields: Record<string, unknown>, how: { blank: string; escapes: string }): string {
  const { blank } = how;
  const text = (written: string) => {
    const json = JSON.stringify(written);
    if (how.escapes === 'none') return json;
    let count = 0;
    return json.replaceAll(/\\u....|\\.|[a-z]/g, (part) =>
      part.startsWith('\\') || (how.escapes === 'some' && count++ % 2 === 0)
        ? part
        : `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  };
  const members = Object.entries(fields).map(
    ([name, inner]) =>
      `${blank}${text(name)}${blank}:${blank}${typeof inner === 'string' ? text(inner) : JSON.stringify(inner, null, blank)}${blank}`,
  );
  return `${blank}{${members.length === 0 ? blank : members.join(',')}}${blank}`;
}

let parses = 0;

/**
 * What JSON.parse says. A first field nobody has used before keeps V8 from guessing the next key by the shape of
 * earlier objects, which is where it goes wrong.
 */
function fieldsOf(text: string): Map<string, unknown> {
  parses += 1;
  const isEmpty = /^\s*\{\s*\}/.test(text);
  const fresh = text.replace('{', `{"fresh ${parses}":0${isEmpty ? '' : ','}`);
  const fields = new Map(Object.entries(JSON.parse(fresh) as object));
  fields.delete(`fresh ${parses}`);
  return fields;
}

function wellFormed(text: string): boolean {
  return text.isWellFormed();
}

test('every field of every object reads as JSON.parse reads it, however it is spelt', () => {
  fc.assert(
    fc.property(object, spelling, (fields, how) => {
      const body = spell(fields, how);
      const expected = fieldsOf(body);
      const envelope = readEnvelope(Buffer.from(body));
      assert.deepEqual([...envelope.fields.keys()].sort(), [...expected.keys()].sort());
      for (const [name, inner] of expected) {
        assert.deepEqual(readValue(envelope, name), inner);
        assert.equal(readString(envelope, name), typeof inner === 'string' ? inner : undefined);
      }
    }),
    { numRuns: 500 },
  );
});

test('whatever it accepts, JSON.parse would have read the same fields; broken bodies are refusals', () => {
  const damage = fc.record({
    at: fc.nat(),
    byte: fc.nat(255),
    mode: fc.constantFrom('replace', 'insert', 'delete', 'cut'),
  });
  fc.assert(
    fc.property(
      object,
      spelling,
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      (fields, how, damages) => {
        let body: Buffer = Buffer.from(spell(fields, how));
        for (const { at, byte, mode } of damages) body = damaged(body, at % (body.length + 1), byte, mode);
        let envelope;
        try {
          envelope = readEnvelope(body);
        } catch (error) {
          assert.ok(error instanceof Refusal && error.status === 400);
          return;
        }
        let parsed: Map<string, unknown>;
        try {
          parsed = fieldsOf(body.toString('utf8'));
        } catch {
          return; // The inside of nested values is the engine's to judge.
        }
        assert.deepEqual([...envelope.fields.keys()].sort(), [...parsed.keys()].sort());
        for (const [name, inner] of parsed) assert.deepEqual(readValue(envelope, name), inner);
      },
    ),
    { numRuns: 1500 },
  );
});

test('a key that appears twice is refused, also in another spelling', () => {
  fc.assert(
    fc.property(
      nastyText.filter(wellFormed),
      value,
      value,
      spelling,
      spelling,
      (name, one, two, first, second) => {
        const a = spell({ [name]: one }, first)
          .trim()
          .slice(0, -1);
        const b = spell({ [name]: two }, second)
          .trim()
          .slice(1);
        fc.pre(name !== '__proto__');
        assert.throws(() => readEnvelope(Buffer.from(`${a},${b}`)), { code: 'invalid_json' });
      },
    ),
  );
});

test('bytes behind the object, bad UTF-8 and deep nesting are refused', () => {
  const refused = (body: string | Buffer) =>
    assert.throws(() => readEnvelope(Buffer.from(body)), { code: 'invalid_json' });
  for (const body of [
    '{} x',
    '{}{}',
    '{}\0',
    '\uFEFF{}',
    '[]',
    '',
    '   ',
    'null',
    '{"a":1,}',
    '{"a":01}',
    "{'a':1}",
    '{"a"}',
  ])
    refused(body);
  refused(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]));
  refused(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`);
  refused(`{"a":${'['.repeat(1_000_000)}`);
});

test('an edited body is the object with those fields changed and all others byte for byte', () => {
  const edits = fc.dictionary(
    fc.constantFrom('model', 'stream', 'rid', 'tools', 'n'),
    fc.option(value, { nil: undefined }),
    {
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(object, edits, spelling, (fields, wanted, how) => {
      const body = spell(fields, how);
      const written = new Map(
        Object.entries(wanted).map(([name, inner]) => [
          name,
          inner === undefined ? undefined : JSON.stringify(inner),
        ]),
      );
      const before = readEnvelope(Buffer.from(body));
      const spliced = spliceEnvelope(before, written);
      const expected = fieldsOf(body);
      for (const [name, inner] of Object.entries(wanted)) {
        if (inner === undefined) expected.delete(name);
        else expected.set(name, inner);
      }
      const after = readEnvelope(spliced);
      assert.deepEqual(fieldsOf(spliced.toString('utf8')), new Map([...expected].map(jsonPair)));
      for (const [name, field] of before.fields) {
        const kept = after.fields.get(name);
        if (written.has(name) || kept === undefined) continue;
        assert.deepEqual(
          spliced.subarray(kept.keyStart, kept.valueEnd),
          before.body.subarray(field.keyStart, field.valueEnd),
        );
      }
    }),
    { numRuns: 300 },
  );
});

/** -0 and the like become what JSON makes of them. */
function jsonPair([name, inner]: [string, unknown]): [string, unknown] {
  return [name, JSON.parse(JSON.stringify(inner)) as unknown];
}

function damaged(body: Buffer, at: number, byte: number, mode: string): Buffer {
  const head = body.subarray(0, at);
  if (mode === 'cut') return Buffer.from(head);
  const middle = mode === 'delete' ? [] : [byte];
  return Buffer.concat([head, Buffer.from(middle), body.subarray(mode === 'insert' ? at : at + 1)]);
}

test('a field that may hold media is noticed wherever it stands and however its name is spelt', () => {
  const name = fc.constantFrom('url', 'image_url', 'video_url', 'audio', 'video', 'image', '_url');
  const shell = fc.constantFrom('array', 'object', 'beside text', 'after other fields');
  fc.assert(
    fc.property(name, spelling, fc.array(shell, { maxLength: 8 }), value, (media, how, shells, other) => {
      const { blank } = how;
      const field = spell({ [media]: 'http://x' }, how);
      const nested = shells.reduce((inner, kind) => {
        if (kind === 'array') return `[${blank}${inner}${blank}]`;
        if (kind === 'object') return `{"a"${blank}:${blank}${inner}}`;
        if (kind === 'beside text') return `["ends in url\\"",${inner},"\\\\"]`;
        return `{"other":${JSON.stringify(other)},"text":"image",${blank}"b":${inner}}`;
      }, field);
      const envelope = readEnvelope(Buffer.from(`{"messages":${nested},"quiet":${JSON.stringify(other)}}`));
      assert.equal(envelope.fields.get('messages')?.mayHoldMedia, true);
      assert.equal(envelope.fields.get('quiet')?.mayHoldMedia, false);
    }),
    { numRuns: 1000 },
  );
});
