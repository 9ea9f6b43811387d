import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../accessible.ts';
import type { House } from '../house.ts';
import { setScene } from '../scene.ts';
import { ask } from '../steps.ts';

export const manageJourneys = {
  'a project with a budget is made, somebody is invited into it, makes a key, and is told before and when it is used up':
    async (house: House) => {
      await using scene = await setScene(house);
      const { page: office } = scene;
      await makeProject(office);
      const link = await invite(office, 'pupil@example.org');

      const outside = await house.visit({ baseURL: scene.line.url });
      const pupil = await outside.newPage();
      await pupil.goto(new URL(link).pathname + new URL(link).hash);
      await pupil.getByRole('textbox', { name: 'Name' }).fill('Mary Cartwright');
      await pupil.getByLabel('Password').fill('functions of a real variable');
      await pupil.getByRole('button', { name: 'Enter' }).click();
      await pupil.getByRole('textbox', { name: 'Message' }).waitFor();
      const client = new OpenAI({
        baseURL: `${scene.line.url}/api`,
        apiKey: await makeKey(pupil),
        maxRetries: 0,
      });
      await limitPerson(office);

      const spend = () =>
        client.chat.completions.create({
          model: 'beta-4-scout',
          max_tokens: 2300,
          messages: [{ role: 'user', content: 'sim:frames=2300 sim:every=0 hello' }],
        });
      await spend();
      await assert.rejects(spend(), (error) => error instanceof OpenAI.RateLimitError);
      await pupil.goto('/usage');
      const limits = pupil.getByRole('region', { name: 'Course' });
      await limits.getByText('Budget per day').waitFor();
      await limits.getByText('of 8,000 units left').waitFor();
      const meter = limits.getByRole('meter', { name: 'Budget per day' });
      assert.ok(Number(await meter.getAttribute('aria-valuenow')) >= 80);
      await assertAccessible(pupil, 'usage with limits');

      await pupil.goto('/');
      await pupil.getByText(/^8\d % of your budget for today is used/).waitFor();
      await assertAccessible(pupil, 'chat with a warning');
      await ask(pupil, 'And in the chat?');
      await pupil.getByText('Your budget is used up, or what is left of it does not cover this.').waitFor();
      await pupil.getByRole('button', { name: 'Do not show this again' }).click();
      await pupil.reload();
      await pupil.getByRole('article', { name: 'You' }).waitFor();
      assert.equal(await pupil.getByText('of your budget for today is used').count(), 0, 'told once');
      await outside.close();

      await endProject(office);
      await assert.rejects(spend(), (error) => error instanceof OpenAI.PermissionDeniedError);
    },

  'an administrator finds keys and withdraws them, sees usage, reads the trail, and removes somebody': async (
    house: House,
  ) => {
    await using scene = await setScene(house);
    const { page } = scene;
    await page.goto('/administration/projects');
    await page.getByText('There are no projects yet').waitFor();
    await page.goto('/administration/usage');
    await page.getByText('Nothing was used in these days.').waitFor();
    await page.getByRole('region', { name: 'Beside the engines’ own counters' }).waitFor();
    await assertAccessible(page, 'usage beside the engines');
    await page.goto('/settings/account/keys');
    await page.getByRole('button', { name: 'Create new secret key' }).click();
    assert.equal(await page.getByRole('combobox', { name: 'Project' }).count(), 0, 'there is no choice');
    await page.getByRole('textbox', { name: 'Name' }).fill('Forgotten');
    await page.getByRole('checkbox', { name: 'For background work' }).check();
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    await page.getByRole('textbox', { name: 'Secret key' }).waitFor();
    await page.goto('/administration/keys');
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('forgot');
    await page.getByRole('button', { name: 'Limits of the key Forgotten of Operator' }).click();
    await page.getByRole('button', { name: 'Edit: All models together' }).click();
    await page.getByRole('spinbutton', { name: 'Requests per minute' }).fill('7');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved').waitFor();
    await page.getByRole('dialog', { name: 'Change limits' }).waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: /Requests per minute: 7/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Select the key Forgotten of Operator' }).check();
    await assertAccessible(page, 'keys');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText('One key withdrawn').waitFor();
    await page.getByText('No key is like that.').waitFor();

    await page.goto('/administration/audit');
    await page.getByText('The trail is whole').waitFor();
    await page.getByRole('combobox', { name: 'What' }).selectOption('Key revoked');
    await page.getByRole('cell', { name: /^Key revoked.*Forgotten/ }).waitFor();
    await assertAccessible(page, 'audit');

    const link = await invite(page, 'leaver@example.org');
    const outside = await house.visit({ baseURL: scene.line.url });
    const leaver = await outside.newPage();
    await leaver.goto(new URL(link).pathname + new URL(link).hash);
    await leaver.getByRole('textbox', { name: 'Name' }).fill('Leaver');
    await leaver.getByLabel('Password').fill('a password of some length');
    await leaver.getByRole('button', { name: 'Enter' }).click();
    await leaver.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.goto('/administration/people');
    await page.getByRole('link', { name: 'Leaver' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('nothing of it runs any more').waitFor();
    await assertAccessible(page, 'person');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export chats' }).click();
    assert.match((await download).suggestedFilename(), /^chats-leaver@example\.org/);
    await page.getByRole('button', { name: 'Remove for good' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove for good' }).click();
    await page.getByText('Leaver is removed').waitFor();
    await page.getByRole('link', { name: 'Leaver' }).waitFor({ state: 'detached' });
    await outside.close();
  },
};

async function makeProject(page: Page): Promise<void> {
  await page.goto('/administration/projects');
  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Course');
  assert.equal(await dialog.getByRole('textbox', { name: 'Id' }).inputValue(), 'course');
  await assertAccessible(page, 'new project');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { name: 'Course', level: 1 }).waitFor();
  await setLimit(page, 'Budget per day', '8000');
  await page.getByRole('meter', { name: 'Budget per day' }).waitFor();
  await assertAccessible(page, 'project');
}

/** Into the first project that is offered, if any; gives the link. */
async function invite(page: Page, email: string): Promise<string> {
  const way = page.getByRole('link', { name: 'Invite people into it' });
  if ((await way.count()) > 0) {
    await way.click();
    await page.getByRole('checkbox', { name: 'Course', checked: true }).waitFor();
  } else {
    await page.goto('/administration/people');
    await page.getByRole('link', { name: 'Invite people', exact: true }).click();
  }
  const addresses = page.getByRole('textbox', { name: 'E-mail addresses' });
  await addresses.fill('not an address');
  await page.getByText('These are not e-mail addresses').waitFor();
  await addresses.fill(email);
  await page.getByRole('button', { name: 'Make one link' }).click();
  const link = await page.getByLabel('Invitation link, shown once').inputValue();
  const links = page.getByRole('link', { name: 'Download links as CSV' });
  assert.ok(decodeURIComponent((await links.getAttribute('href')) ?? '').includes(link));
  return link;
}

async function makeKey(page: Page): Promise<string> {
  await page.goto('/settings/account/keys');
  await page.getByRole('button', { name: 'Create new secret key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Homework');
  await page.getByRole('combobox', { name: 'Project' }).selectOption('Course');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  const secret = await page.getByRole('textbox', { name: 'Secret key' }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Homework' }).getByText('Course').waitFor();
  return secret;
}

async function limitPerson(page: Page): Promise<void> {
  await page.goto('/administration/people');
  await page.getByRole('link', { name: 'Mary Cartwright' }).click();
  await page.getByRole('link', { name: 'Course' }).waitFor();
  await setLimit(page, 'Budget per day', '8000');
}

async function setLimit(page: Page, name: string, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit: All models together' }).first().click();
  await page.getByRole('spinbutton', { name }).fill(amount);
  await page.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText('Limits saved').waitFor();
}

async function endProject(page: Page): Promise<void> {
  await page.goto('/administration/projects/course');
  await page.getByRole('button', { name: 'End now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End now' }).click();
  await page.getByText('Course has ended').waitFor();
}
