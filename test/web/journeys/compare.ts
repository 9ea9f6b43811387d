import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { House } from '../house.ts';
import { assertAccessible } from '../accessible.ts';
import { answers } from '../steps.ts';

export const compareJourneys = {
  'two models answer one question side by side, unseen until the vote, and one goes on': async (
    house: House,
  ) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('button', { name: 'Compare models' }).click();
    await page.getByRole('checkbox', { name: 'gamma-oss-120b' }).check();
    await page.getByRole('checkbox', { name: 'alpha-R1' }).uncheck();
    await page.getByRole('textbox', { name: 'Question' }).fill('What is 17 plus 25?');
    const buffer = Buffer.from('Numbers of the gate: 17 and 25.');
    await page.getByTestId('attach').setInputFiles({ name: 'numbers.txt', mimeType: 'text/plain', buffer });
    const attached = page.getByRole('list', { name: 'Attached files' }).getByText('numbers.txt');
    await attached.waitFor();
    await page.getByRole('checkbox', { name: 'Hide the names' }).check();
    await assertAccessible(page, 'the question to several models');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Ask 2 models' }).and(page.locator(':enabled')).waitFor();
    await page.getByRole('textbox', { name: 'Question' }).press('Enter');

    for (const letter of ['A', 'B'])
      await page
        .getByRole('article', { name: `Answer ${letter}` })
        .locator('xpath=self::*[@data-state="complete"]')
        .waitFor();
    await attached.waitFor();
    const column = page.getByRole('list', { name: 'Answers' });
    assert.doesNotMatch(await column.innerText(), /beta-4-scout|gamma-oss-120b/, 'the names are hidden');
    await page.getByRole('button', { name: 'This one is better' }).first().click();
    await page.getByText('Your choice').waitFor();
    for (const model of ['beta-4-scout', 'gamma-oss-120b'])
      await page.getByRole('heading', { name: model }).waitFor();
    await assertAccessible(page, 'answers side by side');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    const table = await readFile(await download.path(), 'utf8');
    assert.match(table, /^question,model,answer,/);
    assert.match(table, /beta-4-scout/);
    assert.match(table, /gamma-oss-120b/);

    const first = page.getByRole('listitem').filter({ hasText: 'beta-4-scout' }).last();
    const said = await first.locator('.prose').innerText();
    await first.getByRole('button', { name: 'Go on with this one' }).click();
    await page.waitForURL('**/chat/*');
    await page.getByRole('button', { name: /^Model: beta-4-scout/ }).waitFor();
    await answers(page).last().locator('.prose').filter({ hasText: said }).waitFor();
    await page.getByText('1/2', { exact: true }).waitFor();
    await context.close();
  },
};
