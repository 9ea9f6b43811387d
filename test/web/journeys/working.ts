import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { waitUntil } from '#harness/wait-until';
import type { House } from '../house.ts';
import type { SignedReceipt } from '#contract/receipts';
import { assertAccessible } from '../accessible.ts';
import { answerIsOver, answers, ask, chooseModel, dialogsAreGone, patienceMs } from '../steps.ts';

export const workingJourneys = {
  'a cut answer goes on, is quoted, judged, and has a receipt with which it is had again': async (
    house: House,
  ) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/');
    await chooseModel(page, 'beta-4-scout');
    await page.getByRole('button', { name: 'Instructions and parameters' }).click();
    await page.getByRole('spinbutton', { name: 'Maximum tokens' }).fill('6');
    await page.getByRole('button', { name: 'Use in this chat' }).click();
    await dialogsAreGone(page);
    await ask(page, 'Tell me about the weather and the climate.');
    const answer = await answerIsOver(page);
    await answer.getByText('The answer was cut at the token limit.').waitFor();
    const said = answer.locator('.prose');
    const before = (await said.innerText()).trim();

    await answer.getByRole('button', { name: 'Continue', exact: true }).click();
    await waitUntil(
      'the answer grows',
      async () => (await said.innerText()).trim().length > before.length || undefined,
      patienceMs,
    );
    await answerIsOver(page);
    const after = (await said.innerText()).trim();
    assert.ok(after.startsWith(before), `${after} begins with ${before}`);
    assert.equal(await answers(page).count(), 1, 'the same message grew');

    await said.locator('p').first().click({ clickCount: 3 });
    await page.getByRole('button', { name: 'Quote', exact: true }).click();
    const draft = await page.getByRole('textbox', { name: 'Message' }).inputValue();
    assert.ok(draft.startsWith('> '), draft);

    await answer.getByRole('button', { name: 'Bad answer' }).click();
    await page.getByRole('button', { name: 'Incomplete' }).click();
    await page.locator('button[aria-pressed="true"]', { hasText: 'Incomplete' }).waitFor();
    await page.keyboard.press('Escape');

    await answer.getByRole('button', { name: 'Tokens and speed' }).click();
    await page.getByRole('button', { name: 'Receipt', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Receipt of this answer' });
    await dialog.getByRole('button', { name: 'Part 1 of 2' }).click();
    await dialog.getByText('chosen by the service').waitFor();
    await assertAccessible(page, 'a receipt');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download' }).click(),
    ]);
    const signed = JSON.parse(await readFile(await download.path(), 'utf8')) as SignedReceipt;
    assert.equal(signed.receipt.model, 'beta-4-scout');
    await dialog.getByRole('tab', { name: 'As code' }).click();
    await dialog.getByText('This asks the same, byte for byte, with the same seed.').waitFor();
    await dialog.getByText(`"seed": ${signed.receipt.seed!.value}`).waitFor();
    await dialog.getByRole('tab', { name: 'Cite' }).click();
    await dialog.getByText('@misc').first().waitFor();
    await dialog.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('2/2', { exact: true }).waitFor();
    const again = await answerIsOver(page);
    assert.equal((await again.locator('.prose').innerText()).trim(), before, 'the same seed, the same words');

    await page.goto('/administration/usage');
    const row = page.getByRole('row', { name: /beta-4-scout/ }).filter({ hasText: 'Incomplete' });
    await row.waitFor();
    await context.close();
  },
};
