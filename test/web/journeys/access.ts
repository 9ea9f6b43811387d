import assert from 'node:assert/strict';
import { assertAccessible } from '../accessible.ts';
import type { House } from '../house.ts';
import { answerIsOver, bringRichChat, dialogsAreGone, found } from '../steps.ts';

const pages = [
  '/',
  '/temporary',
  '/settings',
  '/settings/chatting',
  '/settings/account',
  '/settings/account/devices',
  '/settings/account/keys',
  '/settings/links',
  '/settings/data',
  '/archived',
  '/settings/presets',
  '/administration/presets',
  '/connect',
  '/usage',
  '/administration',
  '/administration/people',
  '/administration/usage',
  '/administration/projects',
  '/administration/projects/everyone',
  '/administration/keys',
  '/administration/audit',
  '/administration/invitations',
  '/administration/models',
  '/administration/status',
  '/administration/announcements',
  '/administration/appearance',
  '/status',
  '/administration/settings',
  '/nowhere',
];

export const accessJourneys = {
  'axe finds nothing wrong on any page in either theme': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await bringRichChat(page);
    for (const path of pages) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertAccessible(page, path);
    }
    await page.getByRole('link', { name: 'How waves add up' }).first().click();
    await page.locator('.katex').first().waitFor();
    await assertAccessible(page, 'chat');
    await page.getByRole('button', { name: /^Model:/ }).click();
    await assertAccessible(page, 'model picker');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Instructions and parameters' }).click();
    await page.getByRole('dialog').waitFor();
    await assertAccessible(page, 'parameters');
    await context.close();
    const outside = await house.visit();
    const signIn = await outside.newPage();
    for (const path of [
      '/sign-in?problem=sign_in_expired',
      '/sign-in?problem=not_permitted',
      '/invitation#no',
    ]) {
      await signIn.goto(path);
      await signIn.getByRole('alert').waitFor();
      await assertAccessible(signIn, path);
    }
    await outside.close();
  },

  'everything can be done with the keyboard alone': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+Shift+O');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.keyboard.press('Control+Shift+M');
    await page.getByRole('menuitemradio', { name: /beta-4-scout/ }).waitFor();
    await page.keyboard.type('beta');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Model: beta-4-scout/ }).waitFor();
    await page.keyboard.press('Shift+Escape');
    await page.keyboard.type('What is the capital of Norway?');
    await page.keyboard.press('Enter');
    await answerIsOver(page);
    await page.keyboard.press('Control+Shift+C');
    await page.getByText('Answer copied').waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('capital');
    await page.locator('mark').first().waitFor();
    await page.keyboard.press('Escape');
    await dialogsAreGone(page);
    await page.keyboard.press('Control+K');
    await page.keyboard.type('keyboard sh');
    await page.getByRole('option', { name: /^Keyboard shortcuts/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await dialogsAreGone(page);
    await page.keyboard.press('/');
    await found(page, `document.activeElement.getAttribute('aria-label') === 'Message'`);
    await context.close();
  },

  'on a phone the sidebar is a drawer, and nothing is wider than the screen': async (house: House) => {
    const context = await house.visitSignedIn({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await bringRichChat(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Show sidebar' }).tap();
    await page.getByRole('dialog', { name: 'Chats and menu' }).waitFor();
    await page.getByRole('link', { name: 'How waves add up' }).first().tap();
    await dialogsAreGone(page);
    await page.getByRole('article').first().waitFor();
    for (const path of [new URL(page.url()).pathname, ...pages]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide`);
    }
    await context.close();
  },

  'the app speaks German when asked, and remembers the theme': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/settings');
    await page.getByRole('combobox', { name: 'Language of this app' }).selectOption('de');
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    await page.getByText('Dunkel').click();
    await found(page, `document.documentElement.dataset.theme === 'dark'`);
    await page.reload();
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    await page.goto('/');
    // The model inside speaks English only, and suggests what it can answer.
    await page.getByRole('button', { name: 'What is 137 plus 48?' }).click();
    const composer = page.getByRole('textbox', { name: 'Nachricht' });
    assert.equal(await composer.inputValue(), 'What is 137 plus 48?');
    await composer.fill('');
    await page.goto('/settings');
    await page.getByText('Wie das System').click();
    await page.getByRole('combobox').selectOption('');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await context.close();
  },
};
