import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const [light, dark] = css.split(":root[data-theme='dark']");

/** Text needs 4.5 to 1, the edges of controls and marks that carry meaning 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11). */
const papers = ['paper', 'raised', 'sunken', 'pressed', 'question'];
const texts = ['ink', 'ink-soft'];
const codes = ['code-keyword', 'code-string', 'code-number', 'code-title', 'code-comment'];
const textPairs: [string, string][] = [
  ...texts.flatMap((text) => papers.map((paper): [string, string] => [text, paper])),
  ...['paper', 'raised', 'sunken'].flatMap((paper): [string, string][] =>
    ['ink-faint', 'accent', 'accent-strong', 'wait', 'danger'].map((text) => [text, paper]),
  ),
  ...codes.map((text): [string, string] => [text, 'sunken']),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ['accent-strong', 'accent-wash'],
  ['accent', 'accent-wash'],
  ['wait', 'wait-wash'],
  ['danger', 'danger-wash'],
];
const edgePairs: [string, string][] = [
  ['edge', 'paper'],
  ['edge', 'raised'],
  ['edge', 'sunken'],
  ['accent', 'pressed'],
];

for (const [theme, block] of [
  ['light', light],
  ['dark', dark],
] as const) {
  test(`every pair of the ${theme} theme can be read`, () => {
    const colours = readColours(block ?? '');
    for (const [front, back] of textPairs) assertContrast(colours, front, back, 4.5);
    for (const [front, back] of edgePairs) assertContrast(colours, front, back, 3);
  });
}

test('both themes name the same colours', () => {
  assert.deepEqual([...readColours(light ?? '').keys()], [...readColours(dark ?? '').keys()]);
});

function readColours(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, colour]) => [name ?? '', colour ?? '']),
  );
}

function assertContrast(colours: Map<string, string>, front: string, back: string, least: number): void {
  const [lighter = 0, darker = 0] = [front, back]
    .map((name) => luminance(colours.get(name)))
    .sort((a, b) => b - a);
  const contrast = (lighter + 0.05) / (darker + 0.05);
  assert.ok(contrast >= least, `${front} on ${back} has ${contrast.toFixed(2)}, needs ${least}`);
}

function luminance(colour: string | undefined): number {
  assert.ok(colour, 'a colour of this name exists');
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
