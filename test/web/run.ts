/**
 * What people do, in a real browser, against the real program with the real pocket model. `npm run test:web` runs
 * this file. Two houses side by side, since journeys mostly wait, and one after the other in each. Ends with 77 where
 * there is no Chromium, after saying so.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { findBrowser } from './browser.ts';
import { type House, openHouse } from './house.ts';
import { accessJourneys } from './journeys/access.ts';
import { answerJourneys } from './journeys/answers.ts';
import { catalogueJourneys } from './journeys/catalogue.ts';
import { compareJourneys } from './journeys/compare.ts';
import { connectionJourneys } from './journeys/connection.ts';
import { crowdJourneys } from './journeys/crowd.ts';
import { documentJourneys } from './journeys/documents.ts';
import { findingJourneys } from './journeys/finding.ts';
import { installedJourneys } from './journeys/installed.ts';
import { languageJourneys } from './journeys/languages.ts';
import { manyAnswersJourneys } from './journeys/many-answers.ts';
import { manageJourneys } from './journeys/manage.ts';
import { previewJourneys } from './journeys/previews.ts';
import { operationsJourneys } from './journeys/operations.ts';
import { readingJourneys } from './journeys/reading.ts';
import { hostileJourneys } from './journeys/hostile.ts';
import { keyJourneys } from './journeys/keys.ts';
import { signInJourneys } from './journeys/sign-in.ts';
import { spaceJourneys } from './journeys/spaces.ts';
import { storedJourneys } from './journeys/stored.ts';
import { workingJourneys } from './journeys/working.ts';
import { toolJourneys } from './journeys/tools.ts';
import { modelsAreReady } from './steps.ts';

if ((await findBrowser()) === undefined) {
  process.stderr.write(
    'The browser tests cannot run here: install Chromium, or name one in GATEHOUSE_CHROMIUM.\n',
  );
  process.exit(77);
}

const houses = {
  'whoever comes and brings something': {
    ...answerJourneys,
    ...keyJourneys,
    ...signInJourneys,
    ...storedJourneys,
    ...accessJourneys,
    ...documentJourneys,
    ...findingJourneys,
    ...languageJourneys,
    ...installedJourneys,
  },
  'whoever stays and works': {
    ...manageJourneys,
    ...connectionJourneys,
    ...hostileJourneys,
    ...readingJourneys,
    ...operationsJourneys,
    ...catalogueJourneys,
    ...manyAnswersJourneys,
    ...crowdJourneys,
    ...workingJourneys,
    ...toolJourneys,
    ...compareJourneys,
    ...previewJourneys,
    ...spaceJourneys,
  },
};

suite('in a real browser', { concurrency: 2 }, () => {
  for (const [name, journeys] of Object.entries(houses))
    suite(name, { concurrency: 1 }, () => live(journeys));
});

function live(journeys: Readonly<Record<string, (house: House) => Promise<void>>>): void {
  let house: House;
  before(async () => {
    house = await openHouse();
    await modelsAreReady(house);
  });
  after(() => house[Symbol.asyncDispose]());
  for (const [name, journey] of Object.entries(journeys))
    test(name, { timeout: 420_000 }, () =>
      journey(house).catch(async (error: unknown) => {
        // As in test/run-suite.ts: what is broken fails twice, what lost a race is told and to be mended.
        process.stdout.write(`\nUnsteady, and made again: ${name}\n${(error as Error).stack}\n\n`);
        // Not where the first attempt has left its traces.
        await using fresh = await openHouse();
        await modelsAreReady(fresh);
        await journey(fresh);
        house.complaints.push(...fresh.complaints);
      }),
    );
  test('nothing had to be stopped by the content security policy, and no script failed', () => {
    assert.deepEqual(house.complaints, []);
  });
}
