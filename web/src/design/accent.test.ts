import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { contrast, shadesOf } from './accent.ts';
import { darkPapers, lightPapers } from './papers.ts';

test('every colour that somebody may choose can be read in both themes', () => {
  for (const papers of [lightPapers, darkPapers])
    for (let red = 0; red <= 255; red += 51)
      for (let green = 0; green <= 255; green += 51)
        for (let blue = 0; blue <= 255; blue += 51) {
          const colour = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
          const { accent, strong, wash, onAccent } = shadesOf(colour, papers);
          for (const behind of [...papers.all, wash]) {
            assert.ok(contrast(accent, behind) >= 4.5, `${colour}: ${accent} on ${behind}`);
            assert.ok(contrast(strong, behind) >= 4.5, `${colour}: ${strong} on ${behind}`);
          }
          assert.ok(contrast(onAccent, accent) >= 4.5 && contrast(onAccent, strong) >= 4.5, colour);
        }
});

test('a colour that can be read stays as it was chosen', () => {
  assert.equal(shadesOf('#27695d', lightPapers).accent, '#27695d');
  assert.notEqual(shadesOf('#ffee00', lightPapers).accent, '#ffee00');
});

test('the papers are those of the themes', () => {
  const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
  const [light = '', dark = ''] = css.split(":root[data-theme='dark']");
  for (const [block, papers] of [
    [light, lightPapers],
    [dark, darkPapers],
  ] as const) {
    const named = ['paper', 'raised', 'sunken'].map(
      (name) => new RegExp(`--${name}: (#[\\da-f]{6});`).exec(block)?.[1],
    );
    assert.deepEqual([...papers.all], named);
  }
});
