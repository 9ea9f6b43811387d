import assert from 'node:assert/strict';
import { assertAccessible } from '../accessible.ts';
import type { House } from '../house.ts';

export const languageJourneys = {
  'a page speaks the language of the browser from the sign-in on, and another one when asked': async (
    house: House,
  ) => {
    const context = await house.visit({ locale: 'ar-EG' });
    const page = await context.newPage();
    await page.goto('/sign-in');
    await page.getByRole('textbox', { name: 'البريد الإلكتروني' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl');
    assert.equal(await page.evaluate('document.documentElement.lang'), 'ar');
    await assertAccessible(page, 'sign-in in Arabic');
    await page.getByRole('combobox', { name: 'اللغة' }).selectOption({ label: 'Français' });
    await page.getByRole('textbox', { name: 'Mot de passe' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.dir'), 'ltr');
    await page.reload();
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.getByRole('textbox', { name: 'Mot de passe' }).waitFor();
    await context.close();
  },

  'in Arabic the page runs from right to left, and every text in its own direction': async (house: House) => {
    const context = await house.visitSignedIn({ locale: 'ar' });
    const page = await context.newPage();
    await page.goto('/');
    const composer = page.getByRole('textbox', { name: 'الرسالة' });
    await composer.waitFor();
    const menu = await page.getByRole('button', { name: 'قائمة المستخدم' }).boundingBox();
    const field = await composer.boundingBox();
    assert.ok(menu !== null && field !== null && menu.x > field.x, 'the sidebar is on the right');
    const direction = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('textarea')).direction`);
    assert.equal(await direction(), 'rtl');
    await composer.fill('What is 12 plus 30?');
    assert.equal(await direction(), 'ltr');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'أنت' }).filter({ hasText: 'What is 12 plus 30?' }).waitFor();
    const answer = page.getByRole('article', { name: /^إجابة من/ }).last();
    await answer.locator('xpath=self::*[@data-state!="running"]').waitFor();
    await assertAccessible(page, 'chat in Arabic');
    await page.goto('/connect');
    await page.locator('pre').first().waitFor();
    assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('pre')).direction`), 'ltr');
    await assertAccessible(page, 'connect in Arabic');
    await context.close();
  },
};
