import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { House } from '../house.ts';
import { answerIsOver, ask, bringRichChat, chooseModel, richChat } from '../steps.ts';

export const storedJourneys = {
  'a chat is found by a word of its answer, renamed, pinned, deleted and restored': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await chooseModel(page, 'beta-4-scout');
    await ask(page, 'List the planets in order from the sun.');
    await answerIsOver(page);
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('Neptune');
    await page.getByText('One result').waitFor();
    await page.locator('mark').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('');
    const header = page.getByRole('banner');
    await header.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Our solar system');
    await page.keyboard.press('Enter');
    const row = page.getByTestId('chat-list').getByRole('link', { name: 'Our solar system' });
    await row.waitFor();
    await row.hover();
    await page.getByTestId('chat-list').getByRole('button', { name: 'Actions for Our solar system' }).click();
    await page.getByRole('menuitem', { name: 'Pin' }).click();
    await page.getByRole('heading', { name: 'Pinned' }).waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await header.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await context.close();
  },

  'an export brings the same chats back': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await bringRichChat(page);
    await page.getByRole('link', { name: 'How waves add up' }).first().click();
    await page.getByText('it is a movement of things').waitFor();
    await page.locator('.katex').first().waitFor();
    // Colours come near the view, and for paper.
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await page.locator('.hljs-keyword').first().waitFor({ state: 'attached' });
    const download = page.waitForEvent('download');
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
    const exported = await readFile(await (await download).path());
    const [first] = (JSON.parse(exported.toString()) as Archive).chats;
    const [original] = (JSON.parse(await readFile(richChat, 'utf8')) as Archive).chats;
    assert.deepEqual(first?.messages.map(shape), original?.messages.map(shape));
    await page.goto('/settings/data');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'again.json', mimeType: 'application/json', buffer: exported });
    await page.getByText(/imported$/).waitFor();
    await page.getByRole('link', { name: 'How waves add up' }).nth(1).waitFor();
    await context.close();
  },

  'a shared branch can be read and continued in a copy': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await bringRichChat(page);
    await page.getByRole('link', { name: 'How waves add up' }).first().click();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await page.goto(link);
    await page.getByText('This is what others see.').waitFor();
    await page.getByText('it is a movement of things').waitFor();
    await page.getByRole('button', { name: 'Continue in a copy' }).click();
    await page.waitForURL('**/chat/*');
    // The list of links leads to each and takes it back.
    await page.goto('/settings/links');
    const row = page.getByRole('listitem').filter({ hasText: 'How waves add up' });
    await row.getByRole('link', { name: 'Open' }).click();
    await page.waitForURL(link);
    await page.getByText('This is what others see.').waitFor();
    await page.goBack();
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('You have shared no chats.').waitFor();
    await page.goto(link);
    await page.getByText('This link does not work any more.').waitFor();
    await context.close();
  },
};

interface Archive {
  readonly chats: {
    readonly messages: { readonly role: string; readonly content: string; readonly toolCalls?: unknown[] }[];
  }[];
}

function shape(message: Archive['chats'][number]['messages'][number]): object {
  return { role: message.role, content: message.content, toolCalls: message.toolCalls ?? [] };
}
