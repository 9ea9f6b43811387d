import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../accessible.ts';
import type { House } from '../house.ts';
import { answerIsOver, ask, selected } from '../steps.ts';

export const spaceJourneys = {
  'a project has a space: its lead gives it instructions, a document and a preset, a member asks there and shares, and leaving ends it':
    async (house: House) => {
      const office = await house.visitSignedIn();
      const lead = await office.newPage();
      await lead.goto('/connect');
      const newcomer = house.gateway.command('people', 'create', 'max@example.org', '--name', 'Max Delbrück');
      await call(lead, 'POST', 'administration/projects', {
        id: 'genomics',
        name: 'Genomics',
        models: ['beta-4-scout'],
      });
      await call(lead, 'PUT', 'projects/genomics/members', { email: 'operator@localhost', role: 'lead' });
      const { stdout } = await newcomer;
      const { members } = await call(lead, 'PUT', 'projects/genomics/members', {
        email: 'max@example.org',
        role: 'member',
      });

      await lead.goto('/spaces/genomics');
      await prepare(lead);
      await assertAccessible(lead, 'space');

      const outside = await house.visit();
      const member = await outside.newPage();
      await member.goto(`/sign-in${/#link=\S+/.exec(stdout)?.[0] ?? ''}`);
      await member.getByRole('button', { name: 'Not now' }).click();
      await member.getByRole('link', { name: 'Genomics' }).click();
      await member.getByText('/primer').waitFor();
      assert.equal(await member.getByRole('button', { name: 'Edit' }).count(), 0, 'members read');
      // From anywhere, by keyboard: the chat begins in the project, at the blank of the preset.
      await member.goto('/settings/presets');
      await member.getByRole('heading', { name: 'Of the project Genomics' }).waitFor();
      await member.keyboard.press('Control+k');
      await member.getByRole('combobox', { name: 'Find or do something' }).waitFor();
      await member.keyboard.type('genomics');
      await member.getByRole('option', { name: 'Genomics', exact: true }).waitFor();
      await member.keyboard.press('Control+a');
      await member.keyboard.type('suits');
      await member.getByRole('option', { name: 'New chat with /primer' }).waitFor();
      await member.keyboard.press('Enter');
      await member.getByText('Begins in Genomics').waitFor();
      await selected(member, '{gene}');
      await member.keyboard.type('BRCA1');
      await member.getByRole('button', { name: 'Next blank, one left' }).click();
      await selected(member, '{tissue}');
      await assertAccessible(member, 'a chat with a blank to fill in');
      await member.keyboard.type('liver');
      await member.getByRole('button', { name: /^Next blank/ }).waitFor({ state: 'detached' });
      const composer = member.getByRole('textbox', { name: 'Message' });
      assert.equal(await composer.inputValue(), 'Which primer suits BRCA1 in liver?');
      await composer.fill('/');
      await member.getByRole('option', { name: /primer.*Genomics/ }).waitFor();
      await ask(member, 'Which primer is it?');
      await answerIsOver(member);
      await member.getByRole('link', { name: 'In Genomics' }).waitFor();
      await showsModelsAndWhatWasSent(member);

      await member.getByRole('button', { name: 'Share' }).click();
      await member.getByRole('button', { name: 'Share with its members' }).click();
      await member.getByText('Shared in Genomics').waitFor();
      await member.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

      // Without asking: the window that shows the space hears of it.
      const shared = lead.getByRole('listitem').filter({ hasText: 'by Max Delbrück' });
      await shared.getByRole('link').click();
      await lead.getByRole('article', { name: /^Answer by/ }).waitFor();
      await assertAccessible(lead, 'shared chat of a space');
      // What is asked next appears there by itself, and so does the answer.
      await ask(member, 'And what about the second one?');
      await lead.getByText('And what about the second one?').waitFor();
      await answerIsOver(member);
      await lead
        .getByRole('article', { name: /^Answer by/ })
        .nth(1)
        .waitFor();
      await lead.getByText('being written').waitFor({ state: 'detached' });
      await lead.getByRole('button', { name: 'Go on in a copy' }).click();
      await lead.getByRole('textbox', { name: 'Message' }).waitFor();
      await lead.getByRole('link', { name: 'In Genomics' }).waitFor();

      await member.getByRole('link', { name: 'Genomics', exact: true }).click();
      await member.getByRole('heading', { name: 'Genomics', level: 1 }).waitFor();
      const max = members.find(({ email }) => email === 'max@example.org');
      await call(lead, 'DELETE', `projects/genomics/members/${max?.personId ?? ''}`);
      await member.getByRole('heading', { name: 'Genomics', level: 1 }).waitFor({ state: 'detached' });
      await member.getByRole('link', { name: 'Genomics', exact: true }).waitFor({ state: 'detached' });
      await member.goto('/?space=genomics');
      await member.getByText('You are not a member of this project.').waitFor();
      await ask(member, 'Nevertheless?');
      await call(lead, 'DELETE', 'administration/projects/genomics');
      await Promise.all([outside.close(), office.close()]);
    },
};

/** What has pages of its own elsewhere, and is not what this journey is about. */
async function call(page: Page, method: string, path: string, body?: object) {
  return await page.evaluate(
    async (given) => {
      const session = (await (await fetch('/console/session')).json()) as { csrfToken: string };
      const response = await fetch(`/console/${given.path}`, {
        method: given.method,
        headers: { 'x-csrf-token': session.csrfToken, 'content-type': 'application/json' },
        ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { members: { email: string; personId: string }[] };
    },
    { method, path, body },
  );
}

/** In the chat of a project: its models alone, a word about any other, and what it gave to the answer. */
async function showsModelsAndWhatWasSent(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Model: beta-4-scout' }).click();
  await page.getByRole('menuitemradio', { name: /beta-4-scout/ }).waitFor();
  assert.equal(await page.getByRole('menuitemradio').count(), 1, 'only the models of the project');
  await page.keyboard.press('Escape');
  await page.getByRole('menuitemradio').waitFor({ state: 'detached' });
  const chatId = page.url().split('/').at(-1) ?? '';
  await call(page, 'PATCH', `chats/${chatId}`, { model: 'gamma-oss-120b' });
  await page.getByText('gamma-oss-120b is not one of the models of Genomics.').waitFor();
  await call(page, 'PATCH', `chats/${chatId}`, { model: 'beta-4-scout' });
  await page.getByText('is not one of the models').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'What was sent to the model' }).click();
  const sent = page.getByRole('dialog');
  await sent.getByText('Answer for geneticists.').waitFor();
  await sent.getByText('Documents of Genomics:').waitFor();
  await sent.getByText('primers.txt').first().waitFor();
  await sent.getByRole('button', { name: 'Close' }).click();
  await sent.waitFor({ state: 'detached' });
}

async function prepare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Answer for geneticists.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Answer for geneticists.').waitFor();
  await page.getByTestId('space-documents').setInputFiles({
    name: 'primers.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('The primer of the third run is called Quill-77.'),
  });
  await page.getByRole('button', { name: 'Remove primers.txt' }).waitFor();
  await page.getByRole('button', { name: 'New preset' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('primer');
  await form.getByRole('textbox', { name: 'What it is for' }).fill('Says which one suits');
  await form.getByRole('textbox', { name: 'Prompt' }).fill('Which primer suits {gene} in {tissue}?');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Write /primer').waitFor();
}
