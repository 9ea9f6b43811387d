import assert from 'node:assert/strict';
import { waitUntil } from '#harness/wait-until';
import type { Locator, Page } from 'playwright-core';
import type { House } from '../house.ts';
import { setScene } from '../scene.ts';
import { answerIsOver, answers, ask, found, patienceMs } from '../steps.ts';

/** Where the eye is: the end of what grows, what was searched for, what was left. */
export const readingJourneys = {
  'search leads to the message, marked, by keyboard alone, and Back to where one was': async (
    house: House,
  ) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await bringIn(page, longChat());
    await page.getByRole('link', { name: 'A long walk' }).click();
    await page.getByText('Step 119 of the walk').waitFor();
    await isAtEnd(page);
    await page.keyboard.press('Control+b');
    await page.getByRole('searchbox').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.type('persimm');
    // Pressed before anything can have been found: it leads to the first result all the same.
    await page.keyboard.press('ArrowDown');
    await page.locator('a:focus', { hasText: /persimmon/ }).waitFor();
    await page.keyboard.press('Enter');
    const hit = page.locator('[data-hit]');
    await hit.waitFor();
    await waitUntil('the hit is in view', async () => (await isInView(page, hit)) || undefined, patienceMs);
    assert.match(await hit.innerText(), /persimmon/);
    await found(page, `CSS.highlights.get('search-hit')?.size === 1`);
    // Somewhere else and back: the same message is before one's eyes.
    await page.waitForTimeout(500);
    await page.getByRole('button', { name: 'New chat' }).first().click();
    await page.getByText('What would you like to know').waitFor();
    await page.goBack();
    await hit.waitFor();
    await waitUntil('it is in view again', async () => (await isInView(page, hit)) || undefined, patienceMs);
    await context.close();
  },

  'a very long chat brings its beginning along when one scrolls up, and keeps the line one reads': async (
    house: House,
  ) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await bringIn(page, veryLongChat());
    await page.getByRole('link', { name: 'A year of walks' }).click();
    await page.getByText('Day 4049.').waitFor();
    await isAtEnd(page);
    const reads: string[] = [];
    page.on('request', (request) => request.url().includes('before=') && reads.push(request.url()));
    const list = page.getByTestId('messages');
    const scrollUp = async () => {
      await list.hover();
      await page.mouse.wheel(0, -10_000_000);
    };
    await scrollUp();
    const line = page.getByText('Day 2050.', { exact: true });
    await line.waitFor();
    await waitUntil('the page before it is read', async () => reads.length === 1 || undefined, patienceMs);
    await page.getByText('Day 2049.', { exact: true }).waitFor();
    await waitUntil(
      'the line is still before the eye',
      async () => (await isInView(page, line)) || undefined,
      patienceMs,
    );
    await scrollUp();
    await page.getByText('Day 50.', { exact: true }).waitFor();
    await page.getByText('Day 49.', { exact: true }).waitFor();
    await scrollUp();
    await page.getByText('Day 0.', { exact: true }).waitFor();
    assert.equal(await page.getByText('Show earlier messages').count(), 0);
    // A hit at the very beginning is found too, from a page that knows only the end.
    await page.goto(`${new URL(page.url()).pathname}?message=${await idOf(page, 'Day 3.')}&words=day`);
    await page.locator('[data-hit]').filter({ hasText: 'Day 3.' }).waitFor();
    await context.close();
  },

  'the view stays at the end of an answer of code and formulas, and at the switch of a thought': async (
    house: House,
  ) => {
    await using scene = await setScene(house);
    const { page } = scene;
    await page.setViewportSize({ width: 1000, height: 560 });
    await ask(page, 'Lecture me. sim:rich sim:frames=60 sim:every=5 sim:think');
    await answerIsOver(page);
    await answers(page).last().getByText('The very end.').waitFor();
    await isAtEnd(page);
    await page.reload();
    await answers(page).last().getByText('The very end.').waitFor();
    await isAtEnd(page);
    await paperHasEverything(page);
    await isAtEnd(page);
    await ask(page, 'Briefly. sim:frames=3 sim:think');
    const answer = await answerIsOver(page);
    const fold = answer.getByRole('button', { name: /^Thought/ });
    await fold.click();
    await answer.getByText('Erst überlegen').waitFor();
    assert.ok(await isInView(page, fold), 'what was clicked is still there');
  },

  'a question written during an answer waits in sight, can be taken back, and is sent when its turn comes':
    async (house: House) => {
      await using scene = await setScene(house);
      const { page, engine } = scene;
      await ask(page, 'Count. sim:frames=5000 sim:every=20');
      await answers(page).last().getByText('w5 ').waitFor();
      const composer = page.getByRole('textbox', { name: 'Message' });
      const queue = page.getByRole('list', { name: 'Questions that are sent next' });
      for (const question of ['And then? sim:frames=5000 sim:every=20', 'No, this not.']) {
        await composer.fill(question);
        await page.keyboard.press('Enter');
        await queue.getByText(question).waitFor();
        assert.equal(await composer.inputValue(), '');
      }
      await queue
        .getByRole('listitem')
        .last()
        .getByRole('button', { name: 'Take this question back' })
        .click();
      const finish = (mark: string) => {
        const [generation] = engine.marked(mark);
        assert.ok(generation !== undefined);
        generation.isToldToFinish = true;
      };
      finish('Count.');
      await page.getByRole('article', { name: 'You' }).filter({ hasText: 'And then?' }).waitFor();
      await answers(page).nth(1).getByText('w5 ').waitFor();
      await queue.waitFor({ state: 'detached' });
      assert.equal(engine.marked('No, this not').length, 0);
      // It outlives a reload, and goes while nobody looks at its chat.
      await composer.fill('At last? sim:frames=3');
      await page.keyboard.press('Enter');
      await queue.waitFor();
      const { pathname } = new URL(page.url());
      await page.goto('/');
      await page.getByText('What would you like to know').waitFor();
      finish('And then?');
      await waitUntil('it is sent', async () => engine.marked('At last?')[0], patienceMs);
      await page.goto(pathname);
      await answers(page).nth(2).getByText('w0 w1 w2').waitFor();
      assert.equal(await queue.count(), 0);
      await ask(page, 'Slowly. sim:hang');
      await answers(page).last().getByText('Waiting for the answer').waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
    },

  'a question asked while the chat is being read stays, though what was read is older': async (
    house: House,
  ) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await ask(page, 'What is the capital of Norway?');
    await answerIsOver(page);
    // Without the stream of events nothing but the reply says that there is a new question.
    await page.route('**/console/events*', (route) => route.abort());
    await page.reload();
    const question = page.getByRole('article', { name: 'You' });
    await question.waitFor();
    const reading = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname.includes('/console/chats/'),
      async (route) => {
        if (route.request().method() !== 'GET') return route.continue();
        const response = await route.fetch();
        reading.resolve();
        await release.promise;
        // A read that the page no longer waits for cannot be answered.
        await route.fulfill({ response }).catch(() => undefined);
      },
    );
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    await reading.promise;
    await page.keyboard.press('Escape');
    const isAsked = page.waitForResponse('**/console/generations');
    await ask(page, 'What is the capital of France?');
    await isAsked;
    const isReadAgain = page.waitForResponse((response) => response.url().includes('/console/chats/'));
    release.resolve();
    await isReadAgain;
    await page.waitForTimeout(300);
    assert.equal(await question.filter({ hasText: 'France' }).count(), 1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  },

  'a dropped file goes along, and of one that is no picture the page says so': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/temporary');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const chips = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
    await drop(page, 'notes.md', 'text/markdown', '# Gate\n\nIt opens inwards.');
    await chips.filter({ hasText: 'notes.md' }).getByText('1 page').waitFor();
    await drop(page, 'gate.png', 'image/png', '\u0000\u0001PNG');
    await chips.filter({ hasText: 'gate.png' }).getByText('cannot come into a temporary chat').waitFor();
    // Nothing of a temporary chat is kept: the text goes along in the question itself.
    await page.getByRole('textbox', { name: 'Message' }).fill('Which way?');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'You' }).getByText('It opens inwards.').waitFor();
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await drop(page, 'gate.png', 'image/png', '\u0000\u0001PNG');
    await chips.filter({ hasText: 'gate.png' }).getByText('This file is damaged').waitFor();
    await context.close();
  },

  'on a phone Enter makes a line, and the button sends': async (house: House) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const context = await house.visitSignedIn(phone);
    const page = await context.newPage();
    await page.goto('/');
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('What is the capital');
    await page.keyboard.press('Enter');
    await page.keyboard.type('of Norway?');
    assert.equal(await composer.inputValue(), 'What is the capital\nof Norway?');
    await page.getByRole('button', { name: 'Send', exact: true }).tap();
    await answerIsOver(page);
    await context.close();
  },

  'what the service refuses is said in German on the German page': async (house: House) => {
    const context = await house.visit({ locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto('/sign-in');
    await page.getByRole('textbox', { name: 'E-Mail' }).fill('niemand@example.org');
    await page.getByLabel('Passwort').fill('ganz sicher falsch');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByText('E-Mail-Adresse oder Passwort stimmen nicht.').waitFor();
    await context.close();
  },
};

async function isAtEnd(page: Page): Promise<void> {
  const distance = () =>
    page
      .getByTestId('messages')
      .evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await waitUntil('the end is in view', async () => (await distance()) < 4 || undefined, patienceMs);
}

async function isInView(page: Page, element: Locator): Promise<boolean> {
  const [view, box] = [await page.getByTestId('messages').boundingBox(), await element.boundingBox()];
  return view !== null && box !== null && box.y + box.height > view.y && box.y < view.y + view.height;
}

async function drop(page: Page, name: string, type: string, text: string): Promise<void> {
  const file = JSON.stringify([name, type, text]);
  await page.evaluate(`{
    const [name, type, text] = ${file};
    const data = new DataTransfer();
    data.items.add(new File([text], name, { type }));
    const options = { dataTransfer: data, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('drop', options));
  }`);
}

async function bringIn(page: Page, archive: object): Promise<void> {
  await page.goto('/settings/data');
  await page.locator('input[type=file]').setInputFiles({
    name: 'chats.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(archive)),
  });
  await page.getByText('One chat imported').waitFor();
}

async function idOf(page: Page, content: string): Promise<string> {
  const read = `${new URL(page.url()).pathname.replace('/chat/', '/console/chats/')}/export?format=json`;
  const response = await page.request.get(read);
  const { chats } = (await response.json()) as { chats: { messages: { id: string; content: string }[] }[] };
  const id = chats[0]?.messages.find((message) => message.content === content)?.id;
  assert.ok(id !== undefined);
  return id;
}

/** Three pages of what the server gives at once. */
function veryLongChat(): object {
  const now = Date.now();
  const messages = Array.from({ length: 4050 }, (_, day) => ({
    id: `d${day}`,
    parentId: day === 0 ? null : `d${day - 1}`,
    role: day % 2 === 0 ? 'user' : 'assistant',
    content: `Day ${day}.`,
    createdAt: now,
  }));
  const chat = { title: 'A year of walks', model: 'beta-4-scout', createdAt: now, updatedAt: now, messages };
  return {
    format: 'gatehouse-chats',
    version: 1,
    exportedAt: now,
    chats: [{ ...chat, activeLeafId: 'd4049' }],
  };
}

/** Long enough that only what is near the view is drawn. */
function longChat(): object {
  const now = Date.now();
  const messages = Array.from({ length: 120 }, (_, index) => ({
    id: `m${index}`,
    parentId: index === 0 ? null : `m${index - 1}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Step ${index} of the walk. ${index === 21 ? 'Here stands a persimmon tree.' : ''} ${'The path goes on, with code `x` and words. '.repeat((index % 7) * 4)}`,
    createdAt: now,
  }));
  const chat = { title: 'A long walk', model: 'beta-4-scout', createdAt: now, updatedAt: now, messages };
  return {
    format: 'gatehouse-chats',
    version: 1,
    exportedAt: now,
    chats: [{ ...chat, activeLeafId: 'm119' }],
  };
}

/** Formulas far from the view are drawn for paper, and had their height before: nothing moves. */
async function paperHasEverything(page: Page): Promise<void> {
  await page.locator('.math-waiting').first().waitFor({ state: 'attached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const heights = () =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('.math-block')].map((block) => block.offsetHeight)`,
    );
  const before = await heights();
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  assert.equal(await page.locator('.math-waiting').count(), 0);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  assert.deepEqual(await heights(), before);
}
