import assert from 'node:assert/strict';
import { waitUntil } from '#harness/wait-until';
import type { House } from '../house.ts';
import { patienceMs } from '../steps.ts';

/** Much of everything; the last one clears the house. */
export const crowdJourneys = {
  'a chat of 2,000 messages opens at its end and draws only what is near': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/settings/data');
    await page.locator('input[type=file]').setInputFiles({
      name: 'long.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(longArchive(2000))),
    });
    await page.getByText('One chat imported').waitFor();
    await page.getByRole('link', { name: 'A long talk' }).click();
    await page.getByText('Message 2000.').waitFor();
    const toTheEnd = page.getByRole('button', { name: 'To the end' });
    assert.ok((await page.getByRole('article').count()) < 60);
    await page.getByTestId('messages').hover();
    await waitUntil(
      'the beginning of the chat, and the way back',
      async () => {
        await page.mouse.wheel(0, -100_000);
        const isThere = await page.getByText('Message 1.', { exact: true }).isVisible();
        return (isThere && (await toTheEnd.isVisible())) || undefined;
      },
      patienceMs,
    );
    await toTheEnd.click();
    await page.getByText('Message 2000.').waitFor();
    await context.close();
  },

  'a sidebar of 5,000 chats draws a screenful and scrolls to its end': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    await page.goto('/settings/data');
    await page.locator('input[type=file]').setInputFiles({
      name: 'many.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(manyArchive(5000))),
    });
    await page.getByText('5,000 chats imported').waitFor();
    const list = page.getByTestId('chat-list');
    const end = list.getByRole('link', { name: 'Chat 5000', exact: true });
    await waitUntil(
      'the end of the list',
      async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return (await end.count()) > 0 || undefined;
      },
      patienceMs,
    );
    assert.ok((await list.getByRole('link').count()) < 80);
    await page.getByRole('button', { name: 'Delete all chats' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete all chats' }).click();
    await page.getByText(/chats deleted$/).waitFor();
    await page.getByText('Your chats will be listed here.').waitFor();
    await context.close();
  },
};

function manyArchive(count: number): object {
  const now = Date.now();
  const chats = Array.from({ length: count }, (_, index) => {
    const at = now - 86_400_000 - index * 60_000;
    const messages = [{ id: 'm', parentId: null, role: 'user', content: 'Hello', createdAt: at }];
    return {
      title: `Chat ${index + 1}`,
      model: 'beta-4-scout',
      createdAt: at,
      updatedAt: at,
      activeLeafId: 'm',
      messages,
    };
  });
  return { format: 'gatehouse-chats', version: 1, exportedAt: now, chats };
}

function longArchive(count: number): object {
  const now = Date.now();
  const messages = Array.from({ length: count }, (_, index) => ({
    id: `m${index + 1}`,
    parentId: index === 0 ? null : `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index + 1}.\n\n${'Some **words** to read. '.repeat(index % 7)}`,
    createdAt: now,
  }));
  const chat = {
    title: 'A long talk',
    model: 'beta-4-scout',
    createdAt: now,
    updatedAt: now,
    activeLeafId: `m${count}`,
    messages,
  };
  return { format: 'gatehouse-chats', version: 1, exportedAt: now, chats: [chat] };
}
