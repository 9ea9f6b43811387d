import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { House } from '../house.ts';
import { selected } from '../steps.ts';
import { zipOf } from '../../fixtures/zip.ts';
import { chatGptExport, openWebUiExport } from '../../fixtures/foreign-exports.ts';
import { assertAccessible } from '../accessible.ts';

/** Where chats are kept, and how they are found again. */
export const findingJourneys = {
  'a chat goes into a folder by menu and by hand, into the archive by keyboard, and comes back in every window':
    async (house: House) => {
      const context = await house.visitSignedIn();
      const page = await context.newPage();
      await bringIn(page, [
        { title: 'Keeping bees', messages: ['Where do drones go in winter?', 'They leave the hive.'] },
        { title: 'Keeping time', messages: ['What is a leap second?', 'One second more.'] },
        { title: 'Keeping ducks', messages: ['How cold is too cold?', 'Ducks like it cold.'] },
      ]);
      const other = await context.newPage();
      await other.goto('/');
      const list = page.getByTestId('chat-list');
      const bees = list.getByRole('link', { name: 'Keeping bees' });
      await bees.click();
      await page.getByText('They leave the hive.').waitFor();

      const header = page.getByRole('banner');
      await header.getByRole('button', { name: 'Actions for Keeping bees' }).click();
      await page.getByRole('menuitem', { name: 'Move to a folder' }).click();
      await page.getByRole('textbox', { name: 'New folder' }).fill('The farm');
      await page.keyboard.press('Enter');
      const folder = list.getByRole('button', { name: 'The farm', exact: true });
      await other.getByTestId('chat-list').getByRole('button', { name: 'The farm', exact: true }).waitFor();
      // The chat before one's eyes stays in sight.
      await list.locator('[data-folder]').filter({ hasText: 'Keeping bees' }).waitFor();
      assert.equal(await folder.getAttribute('aria-expanded'), 'true');
      await folder.focus();
      await page.keyboard.press('ArrowLeft');
      await bees.waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowRight');
      await bees.waitFor();

      const ducks = list.getByRole('link', { name: 'Keeping ducks' });
      await ducks.dragTo(folder);
      await list.locator('[data-folder]').filter({ hasText: 'Keeping ducks' }).waitFor();
      await ducks.dragTo(list.getByRole('heading', { name: 'Today' }).first());
      await list.locator('li:not([data-folder])').filter({ hasText: 'Keeping ducks' }).waitFor();
      await page.reload();
      await bees.waitFor();
      await assertAccessible(page, 'a sidebar with folders');

      await page.getByText('They leave the hive.').waitFor();
      await page.keyboard.press('Control+Shift+E');
      await bees.waitFor({ state: 'detached' });
      await page.getByText('Chat archived').waitFor();
      await page.getByRole('searchbox', { name: 'Search chats' }).fill('hive');
      await page.getByRole('link', { name: /Keeping bees.*Archived/s }).click();
      await page.getByText('This chat is archived.').waitFor();
      await page.getByRole('searchbox', { name: 'Search chats' }).fill('');
      await other.goto('/archived');
      await other.getByRole('button', { name: 'Bring back' }).first().click();
      await bees.waitFor();
      await page.getByText('This chat is archived.').waitFor({ state: 'detached' });

      await list.getByRole('button', { name: 'Actions for folder The farm' }).click();
      await page.getByRole('menuitem', { name: 'Delete folder' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete folder' }).click();
      await folder.waitFor({ state: 'detached' });
      await bees.waitFor();
      await context.close();
    },

  'one dialog finds chats, words in messages, models, pages and actions, by keyboard alone': async (
    house: House,
  ) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await bringIn(page, [
      { title: 'On quinces', messages: ['What is membrillo?', 'A paste of quince, cooked for hours.'] },
      { title: 'In Chinese', messages: ['昨天我们讨论了机器学习模型。', '那个模型很大。'] },
    ]);
    const field = page.getByRole('combobox', { name: 'Find or do something' });
    const option = (name: string | RegExp) => page.getByRole('option', { name });
    const find = async (words: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await field.waitFor();
      await page.keyboard.type(words);
      // What is looked for may stand in the list before a word of it is typed.
      await page.locator(`[role=combobox][value="${words}"]`).waitFor();
      await option(name).first().waitFor();
    };
    await find('membrill', /What is membrillo/);
    await assertAccessible(page, 'the palette');
    await page.keyboard.press('Enter');
    await page.locator('[data-hit]').filter({ hasText: 'membrillo' }).waitFor();
    await field.waitFor({ state: 'detached' });
    await find('学习', /In Chinese/);
    assert.equal(
      await option(/In Chinese/)
        .first()
        .locator('mark')
        .innerText(),
      '学习',
    );
    await page.keyboard.press('Enter');
    await page.locator('[data-hit]').filter({ hasText: '机器学习' }).waitFor();

    await find('with gamma', 'Answer here with gamma-oss-120b');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: gamma-oss-120b' }).waitFor();
    await find('with gamma', 'New chat with gamma-oss-120b');
    await page.keyboard.press('ArrowUp');
    assert.match(await page.locator('[role=option][aria-selected=true]').innerText(), /New chat with gamma/);
    await page.keyboard.press('Enter');
    await page.getByText('What would you like to know').waitFor();
    await page.getByRole('button', { name: 'Model: gamma-oss-120b' }).waitFor();

    await find('admin audit', 'Administration: Audit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await find('quinces', 'On quinces');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await find('quinces', 'On quinces');
    await page.keyboard.press('Enter');
    await page.getByText('A paste of quince, cooked for hours.').waitFor();
    await find('archive this', /^Archive this chat/);
    await page.keyboard.press('Enter');
    await page.getByText('Chat archived').waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('zzyzx');
    await page.getByText('Nothing found').waitFor();
    await context.close();
  },

  'a preset sets the chat and its blanks are filled in by Tab or Enter; operators offer one to everybody':
    async (house: House) => {
      const context = await house.visitSignedIn();
      const page = await context.newPage();
      await page.goto('/administration/presets');
      await page.getByRole('button', { name: 'New preset' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('proof');
      await page.getByRole('textbox', { name: 'What it is for' }).fill('Checks a proof');
      await page.getByRole('combobox', { name: 'Model' }).selectOption('gamma-oss-120b');
      await page.getByRole('textbox', { name: 'Instructions' }).fill('Doubt every step.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved. Write /proof in a chat to use it.').waitFor();
      await page.goto('/settings/presets');
      await page.getByText('/proof').waitFor();
      await page.getByRole('button', { name: 'New preset' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('translate');
      await page.getByRole('textbox', { name: 'Prompt' }).fill('Translate {text} into {language}.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved. Write /translate').waitFor();

      await page.goto('/');
      const composer = page.getByRole('textbox', { name: 'Message' });
      await composer.click();
      await page.keyboard.type('/');
      const list = page.getByRole('listbox', { name: 'Presets' });
      await list.getByRole('option', { name: /proof.*Checks a proof/ }).waitFor();
      await list.getByRole('option', { name: /translate/ }).waitFor();
      await assertAccessible(page, 'the presets above the composer');
      await page.keyboard.type('pro');
      await list.getByRole('option', { name: /translate/ }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Model: gamma-oss-120b' }).waitFor();
      await list.waitFor({ state: 'detached' });
      assert.equal(await composer.inputValue(), '');
      await page.keyboard.type('/tr');
      await list.getByRole('option', { name: /translate/ }).waitFor();
      await page.keyboard.press('Tab');
      await selected(page, '{text}');
      await page.keyboard.type('good morning');
      // Not sent while a blank is left.
      await page.keyboard.press('Enter');
      await selected(page, '{language}');
      await page.keyboard.type('Danish');
      assert.equal(await composer.inputValue(), 'Translate good morning into Danish.');
      await page.keyboard.press('Tab');
      assert.notEqual(await page.evaluate<string>('document.activeElement?.tagName'), 'TEXTAREA');
      await page.getByRole('button', { name: 'Instructions and parameters' }).click();
      const instructions = page.getByRole('dialog').getByRole('textbox').first();
      await instructions.waitFor();
      assert.equal(await instructions.inputValue(), 'Doubt every step.');
      await context.close();
    },

  'exports of ChatGPT, in its zip, and of Open WebUI come in with their branches, and say what was left out':
    async (house: House) => {
      const context = await house.visitSignedIn();
      const page = await context.newPage();
      await page.goto('/settings/data');
      const choose = async (name: string, buffer: Buffer) => {
        await page.getByLabel('Choose a file').first().setInputFiles({ name, mimeType: '', buffer });
      };
      await choose('notes.json', Buffer.from('{"a list": ["of", "groceries"]}'));
      await page.getByText('This is no file of chats.').waitFor();
      await choose('chatgpt.zip', zipOf([['conversations.json', JSON.stringify(chatGptExport()), true]]));
      await page.getByText('Left out: one chat that is empty or unreadable, 2 pictures and files').waitFor();
      await choose('chats.json', Buffer.from(JSON.stringify(openWebUiExport())));
      await page.getByText('2 chats imported').waitFor();
      const list = page.getByTestId('chat-list');
      await list.getByRole('link', { name: 'Tides' }).click();
      await page.getByText('Because of the moon.').waitFor();
      await page.getByRole('button', { name: 'Previous version' }).click();
      await page.getByText('Wind.').waitFor();
      await page.goto('/archived');
      await page.getByRole('main').getByRole('link', { name: 'Bird migration' }).click();
      await page.getByText('On the wing.').waitFor();
      await page.getByText('[swift.jpg]').waitFor();
      await context.close();
    },
};

interface Told {
  readonly title: string;
  /** Question, answer, question, answer. */
  readonly messages: readonly string[];
}

async function bringIn(page: Page, told: readonly Told[]): Promise<void> {
  const now = Date.now();
  const chats = told.map(({ title, messages }) => ({
    title,
    model: 'beta-4-scout',
    createdAt: now,
    updatedAt: now,
    messages: messages.map((content, index) => ({
      id: `m${index}`,
      parentId: index === 0 ? null : `m${index - 1}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content,
      createdAt: now,
    })),
  }));
  await page.goto('/settings/data');
  await page.locator('input[type=file]').setInputFiles({
    name: 'chats.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ format: 'gatehouse-chats', version: 1, exportedAt: now, chats })),
  });
  await page.getByText(/imported$/).waitFor();
}
