import assert from 'node:assert/strict';
import { waitUntil } from '#harness/wait-until';
import type { House } from '../house.ts';
import { assertAccessible } from '../accessible.ts';

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="#b04a1c"/></svg>';

/** What operators do. */
export const operationsJourneys = {
  'an operator sees how the service is doing, and lets an engine say hello': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/administration');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const engines = page.getByRole('region', { name: 'Engines' });
    await engines
      .getByRole('row', { name: /pocket/ })
      .getByText('Ready')
      .waitFor();
    await page.getByText('Nobody waits.').waitFor();
    await page.getByRole('heading', { name: 'Machine' }).waitFor();
    await assertAccessible(page, 'overview');
    const beyond = 'document.documentElement.scrollHeight - innerHeight';
    assert.equal(await page.evaluate<number>(beyond), 0, 'the page scrolls, the document does not');
    await page.getByRole('navigation', { name: 'Sections' }).getByText('Models and engines').click();
    await page.getByRole('button', { name: 'Test pocket' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test pocket' });
    await dialog.getByRole('combobox', { name: 'Model' }).selectOption('beta-4-scout');
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await dialog.getByText(/^Answered in/).waitFor();
    await assertAccessible(page, 'engine test');
    await context.close();
  },

  'an announcement reaches everybody, is put away by one, and is ended': async (house: House) => {
    const office = await house.visitSignedIn();
    const page = await office.newPage();
    await page.goto('/administration/announcements');
    const text = '<b onclick=window.pwned=1>New drivers</b> on Thursday';
    await page.getByRole('textbox', { name: 'Text' }).fill(text);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Warning');
    await page.getByRole('button', { name: 'Announce', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Announcements' });
    await bar.getByText(text).waitFor();
    await assertAccessible(page, 'announcements');
    await page.goto('/');
    await bar.getByText(text).waitFor();
    await bar.getByRole('button', { name: 'Put away' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.goto('/administration/announcements');
    const item = page.getByRole('list', { name: 'Announcements' }).getByRole('listitem').first();
    await item.getByText('Shown now').waitFor();
    await item.getByRole('button', { name: 'End' }).click();
    await item.getByText('Over').waitFor();
    await office.close();
  },

  'an incident is told on the status page until it is over': async (house: House) => {
    const office = await house.visitSignedIn();
    const page = await office.newPage();
    await page.goto('/administration/status');
    await page.getByRole('textbox', { name: 'Title' }).fill('alpha-R1 answers slowly');
    await page.getByRole('textbox', { name: 'What is known' }).fill('One server is being mended.');
    await page.getByRole('checkbox', { name: 'alpha-R1' }).check();
    await page.getByRole('button', { name: 'Publish' }).click();
    const item = page.getByRole('list', { name: 'Incidents' }).getByRole('listitem').first();
    await item.getByText('Degraded · Going on').waitFor();
    await assertAccessible(page, 'incidents');
    const reader = await office.newPage();
    await waitUntil('the status page tells of it', async () => {
      await reader.goto('/status');
      await reader.getByRole('heading', { name: 'Models' }).waitFor();
      return (await reader.getByText('One server is being mended.').count()) > 0 || undefined;
    });
    await reader.getByText('Something does not work as it should').waitFor();
    await assertAccessible(reader, 'status');
    await page.getByRole('textbox', { name: 'What is new' }).fill('It is mended.');
    await page.getByRole('button', { name: 'Add and resolve' }).click();
    await item.getByText('Degraded · Over').waitFor();
    const stranger = await house.visit();
    const door = await stranger.newPage();
    await door.goto('/status');
    await door.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    assert.match(door.url(), /returnTo=%2Fstatus/);
    await Promise.all([office.close(), stranger.close()]);
  },

  'a name, a colour and a logo are seen at the door, and taken back': async (house: House) => {
    const office = await house.visitSignedIn();
    const page = await office.newPage();
    await page.goto('/administration/appearance');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Alpine <i>Models</i>');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('link', { name: 'Alpine <i>Models</i>' }).waitFor();
    await page.getByLabel('Chosen colour').fill('#ffee00');
    await page.getByText('Adapted, to be readable').first().waitFor();
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByRole('button', { name: 'Use the colour of the house' }).waitFor();
    const picture = (body: string) => ({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(body),
    });
    const field = page.locator('input[type=file]');
    await field.setInputFiles(picture(logo.replace('<circle', '<script>alert(1)</script><circle')));
    await page.getByRole('alert').getByText('This picture cannot be used').waitFor();
    await field.setInputFiles(picture(logo));
    await page.getByRole('button', { name: 'Remove logo' }).waitFor();
    await assertAccessible(page, 'appearance in yellow');
    const stranger = await house.visit();
    const door = await stranger.newPage();
    await door.goto('/sign-in');
    await door.getByRole('heading', { name: 'Alpine <i>Models</i>' }).waitFor();
    await door.locator('img[src^="/logo"]').waitFor();
    assert.match(await door.title(), /Alpine <i>Models<\/i>$/);
    await assertAccessible(door, 'sign-in in yellow');

    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByRole('button', { name: 'Use the colour of the house' }).click();
    await page.getByRole('button', { name: 'Use the colour of the house' }).waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Gatehouse');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('link', { name: 'Gatehouse', exact: true }).waitFor();
    await Promise.all([office.close(), stranger.close()]);
  },
};
