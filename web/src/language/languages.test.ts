import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from './en/first.ts';
import { enAdministration } from './en/administration.ts';
import { enAppearance } from './en/appearance.ts';
import { enBulletin } from './en/bulletin.ts';
import { enCompare } from './en/compare.ts';
import { enContext } from './en/context.ts';
import { enDrift } from './en/drift.ts';
import { enEngines } from './en/engines.ts';
import { enFolders } from './en/folders.ts';
import { enImports } from './en/imports.ts';
import { enManage } from './en/manage.ts';
import { enOverview } from './en/overview.ts';
import { enPages } from './en/pages.ts';
import { enPalette } from './en/palette.ts';
import { enPresets } from './en/presets.ts';
import { enPreviews } from './en/previews.ts';
import { enSpaces } from './en/spaces.ts';
import { enStatus } from './en/status.ts';
import { enTrail } from './en/trail.ts';
import { enTools } from './en/tools.ts';
import { enWorking } from './en/working.ts';
import type { AreaWords } from './areas.ts';
import { languageNames, wordFiles } from './languages.ts';

const inEnglish: { readonly first: typeof en; readonly areas: AreaWords } = {
  first: en,
  areas: {
    administration: enAdministration,
    appearance: enAppearance,
    bulletin: enBulletin,
    compare: enCompare,
    context: enContext,
    drift: enDrift,
    engines: enEngines,
    folders: enFolders,
    imports: enImports,
    manage: enManage,
    overview: enOverview,
    pages: enPages,
    palette: enPalette,
    presets: enPresets,
    previews: enPreviews,
    spaces: enSpaces,
    status: enStatus,
    tools: enTools,
    trail: enTrail,
    working: enWorking,
  },
};

/** The compiler sees that no sentence is missing; this, that each still says what was handed to it. */
for (const [tag, files] of Object.entries(wordFiles)) {
  const name = languageNames[tag as keyof typeof languageNames];
  test(`${name}: every sentence is written, and says every name and number that the English one says`, async () => {
    const words = { first: await files.first(), areas: await files.areas() };
    compare(inEnglish, words, tag);
  });
}

function compare(english: unknown, other: unknown, path: string): void {
  if (typeof english === 'string') {
    assert.equal(typeof other, 'string', path);
    if (english !== '') assert.notEqual(other, '', path);
    assert.doesNotMatch(other as string, /\{\d\}|\$\{|undefined/, path);
  } else if (typeof english === 'function') {
    compareSentences(english as Sentence, other as Sentence, path);
  } else {
    assert.deepEqual(
      Object.keys(other as object).toSorted(),
      Object.keys(english as object).toSorted(),
      path,
    );
    for (const [key, value] of Object.entries(english as object)) {
      compare(value, (other as Record<string, unknown>)[key], `${path}.${key}`);
    }
  }
}

type Sentence = (...handed: unknown[]) => unknown;

function compareSentences(english: Sentence, other: Sentence, path: string): void {
  for (const handed of [[1234, 5678, 9012], [['Ada', 'Grace'], true], ['Ada', 'Grace', 'Mary'], [null]]) {
    const said = saying(english, handed);
    // A number's sentence joins names without a space: it was never meant for them.
    if (said === undefined || said.includes('Ada,Grace')) continue;
    for (const trace of ['1234', '5678', '9012', '1,234', 'Ada', 'Grace', 'Mary']) {
      if (said.includes(trace)) {
        const form = trace === '1,234' ? /1\D?234/ : new RegExp(trace.replace(/^(\d)(?=\d{3}$)/, '$1\\D?'));
        assert.match(String(other(...handed)), form, `${path} with ${JSON.stringify(handed)}`);
      }
    }
  }
  // Some languages have words of their own for nothing and for two. 21 is one of few in Slavic languages.
  for (const count of [0, 1, 2, 3, 5, 11, 21, 22, 100]) {
    const said = saying(english, [count]);
    if (said === undefined || !new RegExp(`\\b${count}\\b`).test(said)) continue;
    const sentence = String(other(count));
    assert.notEqual(sentence, '', path);
    if (count > 2) assert.match(sentence, new RegExp(`(?<!\\d)${count}(?!\\d)`), `${path} with ${count}`);
  }
}

/** Not every sentence takes everything. */
function saying(sentence: Sentence, handed: unknown[]): string | undefined {
  try {
    const said = String(sentence(...handed));
    return /undefined|NaN|null|object/.test(said) ? undefined : said;
  } catch {
    return undefined;
  }
}
