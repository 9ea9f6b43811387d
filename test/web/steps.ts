import { waitUntil } from '#harness/wait-until';
import type { Locator, Page } from 'playwright-core';
import type { House } from './house.ts';

/** What people do in the chat, in their words. */

export async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(question);
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: 'You' }).filter({ hasText: question }).last().waitFor();
}

export async function answerIsOver(page: Page): Promise<Locator> {
  const answer = page.getByRole('article', { name: /^Answer by/ }).last();
  await answer.locator('xpath=self::*[@data-state!="running"]').waitFor();
  return answer;
}

/** The embedded engine loads in seconds; the first question would wait for it anyway. */
export async function modelsAreReady(house: House): Promise<void> {
  await waitUntil(
    'the models are ready',
    async () => {
      const response = await fetch(`${house.gateway.url}/beta-4-scout/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'beta-4-scout',
          max_tokens: 1,
          messages: [{ role: 'user', content: 'Hi' }],
        }),
      });
      return response.ok ? true : undefined;
    },
    patienceMs,
  );
}

/** A chat with code, formulas and tables, "How waves add up". */
export async function bringRichChat(page: Page): Promise<void> {
  await page.goto('/settings/data');
  await page.locator('input[type=file]').setInputFiles(richChat);
  await page.getByText(/imported$/).waitFor();
}

export const richChat = new URL('rich-chat.json', import.meta.url).pathname;

export function answers(page: Page): Locator {
  return page.getByRole('article', { name: /^Answer by/ });
}

export async function chooseModel(page: Page, model: string): Promise<void> {
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(model) }).click();
  await page.getByRole('button', { name: new RegExp(`^Model: ${model}`) }).waitFor();
}

/** Rewarded for repetition, the pocket model goes on until its context is full: time to reload, watch and stop. */
export async function beLongWinded(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Instructions and parameters' }).click();
  await page.getByRole('spinbutton', { name: 'Frequency penalty' }).fill('-2');
  await page.getByRole('button', { name: 'Use in this chat' }).click();
  await dialogsAreGone(page);
}

/** One may still be closing while the next one is open. */
export async function dialogsAreGone(page: Page): Promise<void> {
  await waitUntil(
    'no dialog is open',
    async () => (await page.getByRole('dialog').count()) === 0 || undefined,
    patienceMs,
  );
}

export const longQuestion = 'Tell me a very long story about a gate and its keeper.';

/** A fuse, not a measure: machines that build and test at once are slow. */
export const patienceMs = 120_000;

/** The words that the caret has marked. */
export async function selected(page: Page, words: string): Promise<void> {
  await waitUntil(
    `${words} is selected`,
    async () => (await page.evaluate<string>('getSelection().toString()')) === words || undefined,
    patienceMs,
  );
}

/** What a script finds in the page, once it is something. Asked anew each time: the page itself may evaluate nothing. */
export async function found<Value>(page: Page, script: string): Promise<Value> {
  return (await waitUntil(script, () => page.evaluate<unknown>(script), patienceMs)) as Value;
}
