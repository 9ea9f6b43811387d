import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inGroups } from './groups.ts';
import { growBlocks, noBlocks, type MarkdownBlocks } from './markdown-blocks.ts';
import { lexMarkdown } from './markdown-lexer.ts';

const pieces = [
  'Some words. ',
  '**bold** and `code` ',
  '\n',
  '\n\n',
  '# Heading\n\n',
  '- one\n- two\n',
  '  - nested\n',
  '1. first\n',
  '```python\nprint("$x$")\n```\n',
  '```\nopen fence\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '> quote\n',
  '$$\nx^2\n$$\n',
  'inline $a_1$ and \\(b\\) ',
  '<script>alert(1)</script>\n\n',
  '---\n',
  'über 🙂 ',
  '[a reference][home] ',
  '[home]: https://example.org\n',
  '    indented code\n',
  'Setext\n===\n',
  '- [ ] to do\n',
  '\\begin{align}\na &= b\n\\end{align}\n',
  '* * *\n',
  '~~~\n',
  '- item **two\n',
  '- loose\n\n',
  '  with more\n',
  '- [x] done\n',
  '2. second\n',
  '| 3 | `4\\|` |\n',
  '| x &amp; <b>y</b> | $z$ |\n',
  'for x in range(3):\n',
  '```\n',
  '\n\n\n',
  'a note[^1] ',
  '[^1]: below\n',
];
const growingText = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 25 })
  .map((parts) => parts.join(''));

test('an answer that arrived in pieces reads like one that arrived whole', () => {
  fc.assert(
    fc.property(growingText, fc.array(fc.nat(12), { minLength: 1, maxLength: 40 }), (text, lengths) => {
      assert.deepEqual(grow(text, lengths), growBlocks(noBlocks, text, true));
    }),
    { numRuns: 600 },
  );
});

test('a long block of which only the end is read again reads like one that is read as a whole', () => {
  // Where a reference leads is certain at the end alone.
  const line = fc.constantFrom(...pieces.filter((piece) => !piece.includes(']: ')));
  const repeated = fc
    .tuple(
      fc.constantFrom('', '1. first\n', '| a | b |\n|---|---|\n', '```js\n', '- one\n', '~~~\n'),
      fc.array(line),
    )
    .map(([opening, lines]) => opening + lines.join(''));
  fc.assert(
    fc.property(
      fc.array(repeated, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      (parts, step) => {
        const text = parts.join('');
        let blocks: MarkdownBlocks = noBlocks;
        for (let length = step; length <= text.length; length += step) {
          const grown = text.slice(0, length);
          const { finished, tail } = growBlocks({ ...blocks, stem: undefined }, grown, false);
          blocks = growBlocks(blocks, grown, false);
          assert.deepEqual([blocks.finished, blocks.tail], [finished, tail]);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('what is certain of a long list, a long table and long code is not made again', () => {
  const parts = (token: object): readonly unknown[] =>
    'items' in token ? (token.items as []) : 'rows' in token ? (token.rows as []) : [];
  for (const [opening, line] of [
    ['', '- an **item\n'],
    ['', '1. one\n\n'],
    ['| a |\n|---|\n', '| 1 |\n'],
  ] as const) {
    let blocks: MarkdownBlocks = growBlocks(noBlocks, opening + line.repeat(20), false);
    const before = parts(blocks.tail[0]!.token);
    for (const more of [line.slice(0, 3), line.slice(3), line])
      blocks = growBlocks(blocks, blocks.text + more, false);
    const after = parts(blocks.tail[0]!.token);
    assert.equal(after.length, before.length + 2);
    before.slice(0, -2).forEach((part, index) => assert.equal(after[index], part));
  }
});

test('a finished block is never touched again', () => {
  fc.assert(
    fc.property(growingText, (text) => {
      let blocks: MarkdownBlocks = noBlocks;
      for (let length = 1; length <= text.length; length += 3) {
        const before = blocks.finished;
        blocks = growBlocks(blocks, text.slice(0, length), false);
        before.forEach((block, index) => assert.equal(blocks.finished[index], block));
        assert.ok(blocks.tail.length <= 1);
      }
    }),
    { numRuns: 200 },
  );
});

test('the end of an ordinary answer draws nothing again but its last block', () => {
  const text = '# Title\n\nWords with **bold**.\n\n- one\n- two\n\n```js\nlet x;\n```\n\nThe end.';
  let blocks: MarkdownBlocks = noBlocks;
  for (let length = 1; length <= text.length; length++)
    blocks = growBlocks(blocks, text.slice(0, length), false);
  const ended = growBlocks(blocks, text, true);
  assert.deepEqual(ended.finished.slice(0, -1), blocks.finished);
  blocks.finished.forEach((block, index) => assert.equal(ended.finished[index], block));
});

test('formulas are told from prices', () => {
  const types = (text: string) => inlineTypes(text).filter((type) => type === 'math').length;
  assert.equal(types('It costs $5 and then $10 more.'), 0);
  assert.equal(types('From $20,000 to $30,000.'), 0);
  assert.equal(types('Let $x$ and $y_1 = 2$ be given.'), 2);
  assert.equal(types(String.raw`Both \(a\) and \[b\] count.`), 2);
  assert.equal(types('Code: `$x$` is not one.'), 0);
  assert.equal(lexMarkdown('$$\na^2 + b^2\n$$\n\nText')[0]?.type, 'math');
});

/** In pieces of these lengths, again and again; an empty piece is what arrives when something else has changed. */
function grow(text: string, lengths: readonly number[]): MarkdownBlocks {
  let blocks: MarkdownBlocks = noBlocks;
  for (let end = 0, count = 0; end < text.length; count += 1) {
    end += Math.max(lengths[count % lengths.length] ?? 1, count % 2);
    blocks = growBlocks(blocks, text.slice(0, end), false);
  }
  return growBlocks(blocks, text, true);
}

function inlineTypes(text: string): string[] {
  const [paragraph] = lexMarkdown(text);
  return paragraph !== undefined && 'tokens' in paragraph
    ? (paragraph.tokens ?? []).map(({ type }) => type)
    : [];
}

test('no text is too deep or too long to be read', () => {
  const bombs = ['>', '> ', '- ', '1. ', '> - ', '\\a', '[', '*a ', '**a*', '~a', '$a '].map((mark) =>
    mark.repeat(20_000),
  );
  for (const bomb of bombs) {
    const { finished } = growBlocks(noBlocks, `${bomb}\n\nThe end.`, true);
    assert.equal(
      finished
        .map(({ token }) => token.raw)
        .join('')
        .replaceAll(/\s/g, '').length > 20_000,
      true,
    );
    growBlocks(noBlocks, bomb, false);
  }
});

test('an environment without marks is a formula, and one tilde a subscript', () => {
  const align = '\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}';
  const [block, text] = growBlocks(noBlocks, `${align}\n\nH~2~O is not ~~struck~~.`, true).finished;
  assert.deepEqual([block!.token.type, (block!.token as { source?: string }).source], ['math', align]);
  const types = (text!.token as { tokens?: { type: string }[] }).tokens?.map(({ type }) => type);
  assert.deepEqual(types, ['text', 'subscript', 'text', 'del', 'text']);
});

test('a group goes on until one comes that it may end with', () => {
  const groups = inGroups(['a', 'b', 'H', 'H', 'c', 'd', 'H'], 2, (member) => member !== 'H');
  assert.deepEqual(groups, [
    ['a', 'b'],
    ['H', 'H', 'c'],
    ['d', 'H'],
  ]);
  assert.deepEqual(inGroups([], 2), []);
});
