import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatedEngine } from '#harness/simulated-engine';
import type { Locator, Page } from 'playwright-core';
import type { House } from '../house.ts';
import { assertAccessible } from '../accessible.ts';
import {
  chinesePdf,
  csv,
  docx,
  hostilePdf,
  type MadeFile,
  notebook,
  pdf,
  png,
  protectedPdf,
} from '../made-files.ts';
import { setScene } from '../scene.ts';
import { answerIsOver, answers, ask, chooseModel, dialogsAreGone } from '../steps.ts';

/** What people bring into their chats. */
export const documentJourneys = {
  'of 300 pages the passage that answers goes to the small model, is listed as a source and opens marked':
    async (house: House) => {
      const context = await house.visitSignedIn();
      const page = await context.newPage();
      await page.goto('/');
      await chooseModel(page, 'beta-4-scout');
      await attach(page, pdf('chronicle.pdf', chronicle()));
      await chip(page, 'chronicle.pdf').getByText('300 pages').waitFor();
      await ask(page, 'Who planted the quince tree?');
      const answer = await answerIsOver(page);
      assert.equal(await answer.getAttribute('data-state'), 'complete');
      await answer.getByRole('button', { name: 'What was sent to the model' }).click();
      const sent = page.getByRole('dialog', { name: 'What was sent' });
      await sent.getByText('Kept free for the answer').waitFor();
      await sent.getByRole('button', { name: /chronicle\.pdf\s*page 217$/ }).click();
      const panel = page.getByRole('complementary', { name: 'chronicle.pdf' });
      await panel.getByText('Page 217 of 300').waitFor();
      assert.match(await panel.locator('mark').innerText(), /quince tree was planted by Odalys Brandt/);
      await assertAccessible(page, 'a chat with an open document');
      await panel.getByRole('button', { name: 'Close the document' }).click();
      await panel.waitFor({ state: 'detached' });
      await answer.getByText('chronicle.pdf').first().waitFor();
      await context.close();
    },

  'a conversation longer than the small model goes on, and shows from where the model sees it': async (
    house: House,
  ) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await chooseModel(page, 'beta-4-scout');
    await beBrief(page);
    const walk = 'We went on along the river and spoke of the weather. '.repeat(60);
    for (const day of ['first', 'second', 'third']) {
      await page.getByRole('textbox', { name: 'Message' }).fill(`On the ${day} day. ${walk}`);
      await page.getByRole('button', { name: /^Context: \d+ % full/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(`On the ${day} day.`).last().waitFor();
      const answer = await answerIsOver(page);
      assert.equal(await answer.getAttribute('data-state'), 'complete');
    }
    const line = page.getByText('The model sees the conversation from here on');
    await line.waitFor();
    const places = await page
      .getByTestId('messages')
      .evaluate((list) => list.innerText.split('The model sees the conversation from here on'));
    assert.match(places[0] ?? '', /On the first day/);
    assert.match(places[1] ?? '', /On the third day/);
    await page.getByRole('button', { name: /^Context: \d+ % full/ }).click();
    await page
      .getByRole('dialog', { name: 'What the model will be given' })
      .getByText('Counted by')
      .waitFor();
    await assertAccessible(page, 'a chat that the model sees in part');
    await context.close();
  },

  'what no longer fits is summarised if one likes, and the summary can be read, edited and dropped': async (
    house: House,
  ) => {
    await using scene = await setScene(house, 2048);
    const { page, engine } = scene;
    const message = page.getByRole('textbox', { name: 'Message' });
    const river = 'river '.repeat(600);
    for (const day of ['first', 'second']) {
      await message.fill(`On the ${day} day. ${river}`);
      await message.press('Enter');
      await page.getByText(`On the ${day} day.`).last().waitFor();
      await answerIsOver(page);
    }
    await message.fill(`On the third day. ${river}`);
    const choice = page.getByRole('region', { name: 'This conversation no longer fits into the model' });
    await choice.getByRole('button', { name: 'Summarise them' }).click();
    await choice.waitFor({ state: 'detached' });
    await message.press('Enter');
    const card = page.getByRole('region', { name: 'Summary of what comes before' });
    await card.getByText('by beta-4-scout').waitFor();
    await answerIsOver(page);
    assert.match(promptOf(engine, 'On the third day.'), /^<summary>\n/);

    await card.getByRole('button', { name: 'Edit' }).click();
    await card.getByRole('textbox').fill('It was about rivers.');
    await assertAccessible(page, 'a summary that is being edited');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('edited by you').waitFor();
    await ask(page, 'What was it about?');
    const answer = await answerIsOver(page);
    assert.match(promptOf(engine, 'What was it about?'), /^<summary>\nIt was about rivers\./);
    await answer.getByRole('button', { name: 'What was sent to the model' }).click();
    const sent = page.getByRole('dialog', { name: 'What was sent' });
    await sent.getByText('It was about rivers.').waitFor();
    await assertAccessible(page, 'what was sent, with a summary');
    await page.keyboard.press('Escape');
    await sent.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Leave out instead' }).click();
    await card.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Summarise instead' }).waitFor();
  },

  'what cannot be read is said in words, beside what can, and only that goes along': async (house: House) => {
    await using scene = await setScene(house);
    const { page, engine } = scene;
    await attach(
      page,
      docx('inventory.docx'),
      notebook('tides.ipynb'),
      chinesePdf('chinese.pdf'),
      pdf('half.pdf', ['The bridge is closed on Mondays.', '']),
      pdf('scan.pdf', ['', '']),
      protectedPdf('locked.pdf'),
      hostilePdf('trap.pdf'),
      { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%garbage') },
      {
        name: 'program.exe',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from([0x4d, 0x5a, 0, 0, 0xff]),
      },
    );
    await chip(page, 'inventory.docx').getByText('1 page').waitFor();
    await chip(page, 'tides.ipynb').getByText('3 cells').waitFor();
    await chip(page, 'half.pdf').getByText('1 of 2 pages has no text').waitFor();
    await chip(page, 'scan.pdf').getByText('pictures of pages and no text').waitFor();
    await chip(page, 'locked.pdf').getByText('protected by a password').waitFor();
    await chip(page, 'trap.pdf').locator('xpath=self::*[@data-state="failed"]').waitFor();
    await chip(page, 'broken.pdf').getByText('This file is damaged').waitFor();
    await chip(page, 'program.exe').getByText('This kind of file cannot be read').waitFor();
    await ask(page, 'How many lanterns? sim:frames=3');
    await answerIsOver(page);
    const prompt = promptOf(engine, 'How many lanterns?');
    assert.match(
      prompt,
      /<source number="1" file="inventory\.docx" page="1">\nInventory of the gatehouse & garden\nItem \| Count\nLanterns \| 17/,
    );
    assert.match(prompt, /print\(max\(heights\)\)[\s\S]*Output:\n4\.2 metres/);
    assert.match(prompt, /closed on Mondays/);
    assert.match(prompt, /城门/);
    assert.doesNotMatch(prompt, /scan\.pdf|locked\.pdf|trap\.pdf|program\.exe/);
    const question = page.getByRole('article', { name: 'You' }).last();
    await question.getByRole('button', { name: /inventory\.docx/ }).click();
    await page.getByTestId('document-page').getByText('Lanterns | 17').waitFor();
  },

  'a table of 50 MB is searched, a picture of 40 megapixels is made small, and a long paste becomes a file':
    async (house: House) => {
      await using scene = await setScene(house);
      const { page, engine } = scene;
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
      try {
        const path = join(folder, 'weather.csv');
        await writeFile(path, csv(50));
        await page.getByTestId('attach').setInputFiles(path);
        await chip(page, 'weather.csv').locator('xpath=self::*[@data-state="ready"]').waitFor();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
      await attach(page, png('field.png', 8000, 5000));
      await page.getByText('beta-4-scout cannot look at pictures').waitFor();
      await chip(page, 'field.png').locator('xpath=self::*[@data-state="ready"]').waitFor();
      await chip(page, 'field.png').getByRole('button').click();
      await paste(page, 'A line of the log.\n'.repeat(200));
      await chip(page, 'Pasted text.txt').getByText('1 page').waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), '');
      await ask(page, 'What happened over Umbrellaton? sim:frames=3');
      await answerIsOver(page);
      const prompt = promptOf(engine, 'What happened over Umbrellaton?');
      assert.match(prompt, /a marmalade storm over Umbrellaton/);
      assert.match(prompt, /name,time,value,remark/);
      assert.match(prompt, /A line of the log\./);
      await answers(page)
        .last()
        .getByRole('button', { name: /weather\.csv\s*page/ })
        .first()
        .waitFor();
    },
};

function chronicle(): readonly string[] {
  return Array.from({ length: 300 }, (_, index) =>
    index === 216
      ? 'In the spring of that year the quince tree was planted by Odalys Brandt, behind the second door.'
      : `Entry ${index + 1}. The gate was opened in the morning and closed at night. ${'Nothing else was written down on this day. '.repeat(20)}`,
  );
}

async function attach(page: Page, ...files: readonly MadeFile[]): Promise<void> {
  await page.getByTestId('attach').setInputFiles([...files]);
}

function chip(page: Page, name: string): Locator {
  return page.getByRole('form').getByRole('listitem').filter({ hasText: name });
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.evaluate(`{
    const data = new DataTransfer();
    data.setData('text/plain', ${JSON.stringify(text)});
    const options = { clipboardData: data, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', options));
  }`);
}

function promptOf(engine: SimulatedEngine, question: string): string {
  const [generation] = engine.marked(question);
  assert.ok(generation !== undefined, 'the question reached the engine');
  const messages = JSON.parse(generation.prompt) as { readonly content: string }[];
  return messages.map(({ content }) => content).join('\n');
}

/** The small model would take its time. */
async function beBrief(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Instructions and parameters' }).click();
  await page.getByRole('spinbutton', { name: 'Maximum tokens' }).fill('12');
  await page.getByRole('button', { name: 'Use in this chat' }).click();
  await dialogsAreGone(page);
}
