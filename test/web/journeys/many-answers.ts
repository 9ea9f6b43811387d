import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { House } from '../house.ts';
import { setScene } from '../scene.ts';
import { answerIsOver, answers, ask } from '../steps.ts';

const endless = 'sim:frames=100000 sim:every=50';

/** Browsers open six connections to one host; answers must not use them up. */
export const manyAnswersJourneys = {
  'seven answers at once, in as many windows, leave the page alive': async (house: House) => {
    await using scene = await setScene(house);
    const { page, context } = scene;
    const windows: Page[] = [];
    for (let count = 0; count < 7; count += 1) {
      const window = count === 0 ? page : await context.newPage();
      windows.push(window);
      await window.goto('/');
      await ask(window, `Count on, number ${count}. ${endless}`);
      await window.waitForURL('**/chat/*');
      await answers(window).last().getByText('w3 ').waitFor();
    }
    assert.equal(scene.engine.activeGenerations, 7);
    for (const window of windows)
      await answers(window)
        .last()
        .getByText(/w\d\d /)
        .first()
        .waitFor();
    // A new window sees all of them, can read everything and stop each.
    const late = await context.newPage();
    await late.goto('/');
    await late.getByRole('img', { name: 'An answer is being written' }).nth(6).waitFor();
    await late.goto('/usage');
    await late.getByRole('heading', { name: 'Usage' }).waitFor();
    for (const window of windows.slice(0, 2)) {
      await late.goto(window.url());
      await late.getByRole('button', { name: 'Stop', exact: true }).click();
      await answers(window).last().getByText('Stopped by you.').waitFor();
    }
    const dots = late.getByRole('img', { name: 'An answer is being written' });
    await dots.nth(5).waitFor({ state: 'detached' });
  },

  'an answer that is stopped before it has begun is stopped': async (house: House) => {
    await using scene = await setScene(house);
    const { page } = scene;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/console/generations', async (route) => {
      await held;
      await route.continue();
    });
    await ask(page, `Never mind. ${endless}`);
    await page.keyboard.press('Escape');
    letGo();
    await (await answerIsOver(page)).getByText('Stopped by you.').waitFor();
  },

  'among many models one is looked for, and the dot of its answer that fails at once goes out': async (
    house: House,
  ) => {
    const others = Array.from({ length: 9 }, (_, index) => `other-${index}`);
    await using scene = await setScene(house, undefined, others);
    const { page } = scene;
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page.getByRole('searchbox', { name: 'Find' }).fill('R-7');
    await page.getByRole('menuitemradio', { name: /other-6/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: other-7' }).waitFor();
    await ask(page, 'Fail at once. sim:status=400');
    const answer = await answerIsOver(page);
    assert.equal(await answer.getAttribute('data-state'), 'failed');
    await page.getByRole('link', { name: /Fail at once/ }).waitFor();
    await page.getByRole('img', { name: 'An answer is being written' }).waitFor({ state: 'detached' });
  },
};
