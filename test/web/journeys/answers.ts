import assert from 'node:assert/strict';
import { waitUntil } from '#harness/wait-until';
import { weatherResult, weatherTool } from '../../clients/questions.ts';
import type { House } from '../house.ts';
import {
  answerIsOver,
  answers,
  ask,
  beLongWinded,
  chooseModel,
  dialogsAreGone,
  longQuestion,
  patienceMs,
} from '../steps.ts';

export const answerJourneys = {
  'the first start prints a link that opens the chat, and the chat answers': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('button', { name: 'What is the difference between weather and climate?' }).click();
    await page.keyboard.press('Enter');
    const answer = await answerIsOver(page);
    assert.match(await answer.innerText(), /climate/i);
    await answer.getByRole('button', { name: /^Thought/ }).click();
    assert.match(await answer.getByTestId('thinking').innerText(), /climate/i);
    await answer.getByRole('button', { name: 'Tokens and speed' }).click();
    await page.getByText('Tokens per second').waitFor();
    // The link was good for one use.
    const other = await house.visit();
    const stranger = await other.newPage();
    await stranger.goto(house.firstLink);
    await stranger.getByRole('alert').waitFor();
    await other.close();
    await context.close();
  },

  'a reload in the middle of an answer shows it going on': async (house: House) => {
    const context = await house.visitSignedIn({ viewport: { width: 900, height: 420 } });
    const page = await context.newPage();
    await page.goto('/');
    await chooseModel(page, 'alpha-R1');
    await beLongWinded(page);
    await ask(page, longQuestion);
    await answers(page).last().getByTestId('thinking').waitFor();
    await page.waitForURL('**/chat/*');
    await page.reload();
    const answer = answers(page).last();
    await answer.getByRole('button', { name: /^Th(inking|ought)/ }).click();
    const length = async () => ((await answer.textContent()) ?? '').length;
    const before = await length();
    await waitUntil(
      'the answer grows after the reload',
      async () => (await length()) > before || undefined,
      patienceMs,
    );
    // Whoever scrolls up to read is left in peace while the answer grows below.
    const scroller = page.getByTestId('messages');
    const isLong = async () =>
      (await scroller.evaluate((element) => element.scrollHeight > element.clientHeight * 2)) || undefined;
    await waitUntil('the answer is longer than the window', isLong, patienceMs);
    await scroller.hover();
    await page.mouse.wheel(0, -100_000);
    await page.getByRole('button', { name: 'To the end' }).waitFor();
    const grownTo = await length();
    await waitUntil(
      'it grows further',
      async () => (await length()) > grownTo + 200 || undefined,
      patienceMs,
    );
    assert.equal(await scroller.evaluate((element) => element.scrollTop), 0);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await answer.getByText('Stopped by you.').waitFor();
    assert.equal(await answers(page).count(), 1);
    await context.close();
  },

  'two windows show the same answer once, and stopping in one stops it in both': async (house: House) => {
    const context = await house.visitSignedIn();
    const one = await context.newPage();
    await one.goto('/');
    await chooseModel(one, 'alpha-R1');
    await beLongWinded(one);
    await ask(one, longQuestion);
    await one.waitForURL('**/chat/*');
    const two = await context.newPage();
    await two.goto(one.url());
    await answers(two).last().waitFor();
    await two.getByRole('button', { name: 'Stop', exact: true }).click();
    for (const window of [one, two]) {
      const answer = await answerIsOver(window);
      await answer.getByText('Stopped by you.').waitFor();
      assert.equal(await answers(window).count(), 1);
    }
    await context.close();
  },

  'an edited question and a new answer are branches with arrows': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await chooseModel(page, 'beta-4-scout');
    await ask(page, 'What is the capital of Norway?');
    await answerIsOver(page);
    const question = page.getByRole('article', { name: 'You' });
    await question.hover();
    await question.getByRole('button', { name: 'Edit message' }).click();
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('What is the capital of France?');
    await page.reload();
    await editor.press('Escape');
    await question.getByText('What is the capital of Norway?').waitFor();
    await question.getByRole('button', { name: 'Edit message' }).click();
    await editor.and(page.getByText('What is the capital of France?')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByTestId('messages').getByText('What is the capital of France?').waitFor();
    await page.getByLabel('Version 2 of 2').waitFor();
    await answers(page).last().getByText('Paris').waitFor();
    await answerIsOver(page);
    await page.getByRole('button', { name: 'Answer again' }).click();
    await page.getByRole('menuitem', { name: 'Answer again with gamma-oss-120b' }).click();
    await page.getByRole('article', { name: 'Answer by gamma-oss-120b' }).waitFor();
    await answerIsOver(page);
    await question.hover();
    const isKept = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await question.getByRole('button', { name: 'Previous version' }).click();
    await isKept;
    await page.getByTestId('messages').getByText('What is the capital of Norway?').waitFor();
    await page.reload();
    await page.getByTestId('messages').getByText('What is the capital of Norway?').waitFor();
    await answers(page).last().getByText('Oslo').waitFor();
    await context.close();
  },

  'a model asks for a tool, gets the result by hand, and answers with it': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await chooseModel(page, 'beta-4-scout');
    await page.getByRole('button', { name: 'Instructions and parameters' }).click();
    const tools = page.getByRole('textbox', { name: 'Tools' });
    await tools.fill('[{"name": "not a tool"}]');
    await page.getByRole('button', { name: 'Use in this chat' }).click();
    await page.getByText('This is out of range or cannot be read.').waitFor();
    await tools.fill(JSON.stringify([weatherTool]));
    await page.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
    await page.getByRole('button', { name: 'Use in this chat' }).click();
    await dialogsAreGone(page);
    await ask(page, 'What is the weather in Boston in celsius?');
    const call = page.getByRole('list', { name: 'Tool calls' }).getByRole('listitem');
    await call.getByText('get_current_weather').waitFor();
    await answerIsOver(page);
    assert.match(await call.innerText(), /location\s+Boston/);
    await page.getByRole('textbox', { name: 'Result of get_current_weather' }).fill(weatherResult);
    await page.getByRole('button', { name: 'Give the result' }).click();
    const result = page.getByRole('article', { name: 'Result' });
    await result.waitFor();
    assert.match(await result.innerText(), /temperature\s+21/);
    await page.locator('article[data-state=complete]').nth(1).waitFor();
    assert.match(await (await answerIsOver(page)).innerText(), /21/);
    assert.equal(await page.getByRole('button', { name: 'Give the result' }).count(), 0);
    // Whoever writes on instead of giving a result is answered too.
    await answers(page).first().hover();
    await answers(page).first().getByRole('button', { name: 'Answer again' }).click();
    await page
      .getByRole('menuitem', { name: /^Answer again/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Give the result' }).waitFor();
    await ask(page, 'Never mind. What is the capital of Norway?');
    await page.locator('article[data-state=complete]').nth(1).waitFor();
    await context.close();
  },

  'a temporary chat answers and is stored nowhere': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('button', { name: 'Temporary chat' }).click();
    await page.getByText('Not stored', { exact: true }).waitFor();
    await chooseModel(page, 'beta-4-scout');
    await ask(page, 'What is 15% of 80? Secret word: zanzibar.');
    await answerIsOver(page);
    await page.goto('/');
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('zanzibar');
    await page.getByText('Nothing found').waitFor();
    await context.close();
  },

  'unsent words survive a reload': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    const composer = page.getByRole('textbox', { name: 'Message' });
    await chooseModel(page, 'beta-4-scout');
    await composer.fill('Half a thought');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and a second line');
    await page.reload();
    await waitUntil(
      'the words are back',
      async () => (await composer.inputValue()) === 'Half a thought\nand a second line',
    );
    await page.getByRole('button', { name: /^Model: beta-4-scout/ }).waitFor();
    // What is typed while a new chat is being made goes along with it.
    await composer.fill('What is the capital of Norway?');
    await page.keyboard.press('Enter');
    await page.keyboard.type('And of Sweden?');
    await answerIsOver(page);
    await page.waitForURL('**/chat/*');
    assert.equal(await composer.inputValue(), 'And of Sweden?');
    await page.getByRole('button', { name: 'New chat' }).first().click();
    await page.getByText('What would you like to know').waitFor();
    assert.equal(await composer.inputValue(), '');
    await context.close();
  },
};
