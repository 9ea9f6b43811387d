import assert from 'node:assert/strict';
import { waitUntil } from '#harness/wait-until';
import type { Locator } from 'playwright-core';
import type { House } from '../house.ts';
import { setScene } from '../scene.ts';
import { answerIsOver, answers, ask, patienceMs } from '../steps.ts';

/** An engine that counts aloud (`w0 w1 w2 …`): one word lost or said twice would be seen. */
export const connectionJourneys = {
  'an answer survives a lost network and a service that goes away, word for word': async (house: House) => {
    await using scene = await setScene(house);
    const { page, context, line, engine } = scene;
    await ask(page, 'Count to a lot. sim:frames=5000 sim:every=20');
    const answer = answers(page).last();
    await says(answer, 'w20 ');

    await context.setOffline(true);
    line.fallSilent();
    await page.getByText('You are offline.').waitFor();
    await answer.getByText('The connection is gone').waitFor();
    const shownOffline = (await wordsOf(answer)).length;
    const [generation] = engine.marked('Count to a lot');
    assert.ok(generation !== undefined);
    const goesOn = () => generation.progress.framesWritten > shownOffline + 100 || undefined;
    await waitUntil('the engine has gone on', goesOn, patienceMs);
    assert.equal(generation.state, 'active', 'nobody stopped it');
    line.mend();
    await context.setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await says(answer, `w${shownOffline + 100} `);

    line.cut();
    await page.getByText('The service does not answer at the moment').waitFor();
    await answer.getByText('The connection is gone').waitFor();
    const shownCut = (await wordsOf(answer)).length;
    await page.getByRole('textbox', { name: 'Message' }).fill('Still here');
    line.mend();
    await page.getByText('The service does not answer at the moment').waitFor({ state: 'detached' });
    await says(answer, `w${shownCut + 100} `);

    generation.isToldToFinish = true;
    await answerIsOver(page);
    const words = await wordsOf(answer);
    assert.deepEqual(words, counted(words.length), 'no word is missing or doubled');
    assert.equal(await answers(page).count(), 1);
    assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'Still here');
    await page.reload();
    await answerIsOver(page);
    assert.deepEqual(await wordsOf(answer), words, 'what was shown is what was stored');

    // The question arrives, the word of its arrival is lost: the page asks again, the engine is asked once.
    await page.route(
      '**/console/generations',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('Once, please. sim:frames=3');
    await page.keyboard.press('Enter');
    await answers(page).nth(1).getByText('w0 w1 w2').waitFor();
    assert.equal(await composer.inputValue(), '', 'the words are sent');
    assert.equal(await page.getByText('The service cannot be reached.').count(), 0);
    assert.equal(await page.getByRole('article', { name: 'You' }).count(), 2);
    assert.equal(await page.getByLabel(/^Version/).count(), 0, 'there is no second branch');
    assert.equal(engine.marked('Once, please').filter(({ isStream }) => isStream).length, 1);
  },

  'a service that is killed in the middle of an answer keeps what was said': async (house: House) => {
    await using scene = await setScene(house);
    const { page } = scene;
    await ask(page, 'Count to a lot. sim:frames=5000 sim:every=20');
    const answer = answers(page).last();
    await says(answer, 'w150 ');
    await scene.killAndStartAgain();
    await answer.getByText('The answer was interrupted.').waitFor();
    const words = await wordsOf(answer);
    assert.ok(words.length > 10);
    assert.deepEqual(words, counted(words.length));
    await answer.getByRole('button', { name: 'Answer again' }).click();
    await page
      .getByRole('menuitem', { name: /^Answer again/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Stopped by you.').waitFor();
    await page.getByLabel('Version 2 of 2').waitFor();
  },
};

async function says(answer: Locator, words: string): Promise<void> {
  await answer.getByText(words).first().waitFor();
}

async function wordsOf(answer: Locator): Promise<string[]> {
  return (await answer.innerText()).match(/\bw\d+\b/g) ?? [];
}

function counted(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `w${index}`);
}
