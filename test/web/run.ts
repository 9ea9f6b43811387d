/**
 * What people do, in a real browser, against the real program with the real pocket model. `npm run test:web` runs
 * this file. One house for all journeys. Ends with 77 where there is no Chromium, after saying so.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findBrowser } from './browser.ts';
import { openHouse } from './house.ts';
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

const house = await openHouse();
after(() => house[Symbol.asyncDispose]());
await modelsAreReady(house);

const journeys = {
  ...answerJourneys,
  ...keyJourneys,
  ...signInJourneys,
  ...storedJourneys,
  ...accessJourneys,
  ...manageJourneys,
  ...connectionJourneys,
  ...hostileJourneys,
  ...readingJourneys,
  ...documentJourneys,
  ...operationsJourneys,
  ...catalogueJourneys,
  ...manyAnswersJourneys,
  ...crowdJourneys,
  ...workingJourneys,
  ...toolJourneys,
  ...compareJourneys,
  ...previewJourneys,
  ...findingJourneys,
  ...languageJourneys,
  ...spaceJourneys,
  ...installedJourneys,
};

for (const [name, journey] of Object.entries(journeys)) {
  test(name, { timeout: 420_000 }, () => journey(house));
}

test('nothing had to be stopped by the content security policy, and no script failed', () => {
  assert.deepEqual(house.complaints, []);
});
