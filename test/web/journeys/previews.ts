import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../accessible.ts';
import type { House } from '../house.ts';

/** Documents that models write, opened beside the chat. */
export const previewJourneys = {
  'a page of a model runs beside the chat and reaches nothing; tables, drawings, diagrams and plots are drawn':
    async (house: House) => {
      let knocks = 0;
      const outside = createServer((_request, response) => {
        knocks++;
        response.setHeader('access-control-allow-origin', '*');
        response.end('reached');
      }).listen(0, '127.0.0.1');
      await using _outside = outside;
      await once(outside, 'listening');
      const address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
      // The policy complains about everything that is tried here; nobody else is to hear of it.
      const signedIn = await house.visitSignedIn();
      const context = await house.browser.newContext({
        baseURL: house.gateway.url,
        storageState: await signedIn.storageState(),
      });
      await signedIn.close();
      const page = await context.newPage();
      await openChat(page, [
        block('html', hostilePage(address)),
        block('csv', 'town,people\n"Gate, Upper",1204\n<b>Lower</b>,88'),
        block('svg', '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="9"/></svg>'),
        block('mermaid', 'graph LR\n  Gate --> House'),
        block('vega-lite', JSON.stringify(plot)),
      ]);

      const frame = await open(page, 0);
      await frame.locator('#verdict[data-done]').waitFor();
      assert.deepEqual(JSON.parse(await frame.locator('#verdict').innerText()), {
        ran: true,
        fetch: 'refused',
        console: 'refused',
        parent: 'refused',
        top: 'refused',
        popup: 'refused',
        storage: 'refused',
        cookie: 'refused',
        picture: 'refused',
        webrtc: 'refused',
        inner: 'refused',
      });
      assert.match(page.url(), /\/chat\//, 'the page around it is where it was');
      const table = await open(page, 1, 'td');
      assert.deepEqual(await table.locator('td').allInnerTexts(), [
        'Gate, Upper',
        '1204',
        '<b>Lower</b>',
        '88',
      ]);
      const drawing = await open(page, 2);
      await drawing.locator('svg circle').waitFor();
      const diagram = await open(page, 3);
      await diagram.getByText('House').first().waitFor();
      const drawn = await open(page, 4);
      await drawn.locator('svg path').first().waitFor();
      await assertAccessible(page, 'a chat with a preview');
      await page.getByRole('button', { name: 'Close the preview' }).click();
      await page.locator('iframe').waitFor({ state: 'detached' });

      // Leaving through its own window is no way out either.
      const leaving = await open(page, 0, '#leave');
      await leaving.locator('#leave').click();
      await page.locator('iframe').waitFor();
      assert.equal(knocks, 0, 'nothing has reached the world outside');
      await context.close();
    },
};

function block(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** An answer as a model would have written it. */
async function openChat(page: Page, blocks: readonly string[]): Promise<void> {
  await page.goto('/');
  const chatId = await page.evaluate(async (content) => {
    const session = (await (await fetch('/console/session')).json()) as { csrfToken: string };
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'x-csrf-token': session.csrfToken };
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: string };
    };
    const chat = await post('/console/chats', { title: 'Documents', model: 'beta-4-scout' });
    const path = `/console/chats/${chat.id}/messages`;
    const question = await post(path, { parentId: null, role: 'user', content: 'Draw.' });
    await post(path, { parentId: question.id, role: 'assistant', content });
    return chat.id;
  }, blocks.join('\n\n'));
  await page.goto(`/chat/${chatId}`);
}

async function open(page: Page, index: number, first = 'body') {
  await page.getByRole('button', { name: 'Open beside the chat' }).nth(index).click();
  const frame = page.frameLocator('iframe');
  await frame.locator(first).first().waitFor();
  return frame;
}

const plot = {
  data: {
    values: [
      { day: 'Mon', visits: 3 },
      { day: 'Tue', visits: 5 },
    ],
  },
  mark: 'bar',
  encoding: { x: { field: 'day' }, y: { field: 'visits', type: 'quantitative' } },
};

function hostilePage(address: string): string {
  return `<!doctype html><p id="verdict"></p><a id="leave" href="${address}leave">leave</a>
<script>
const verdict = { ran: true };
const attempt = async (name, work) => {
  try { verdict[name] = (await work()) ? 'reached' : 'refused' } catch { verdict[name] = 'refused' }
};
(async () => {
  await attempt('fetch', () => fetch('${address}fetch'));
  await attempt('console', async () => (await fetch('/console/session')).ok);
  await attempt('parent', () => parent.document.title);
  await attempt('top', () => { top.location.href = '${address}top'; return false });
  await attempt('popup', () => open('${address}popup'));
  await attempt('storage', () => localStorage.length >= 0);
  await attempt('cookie', () => document.cookie !== undefined);
  await attempt('picture', () => new Promise((resolve) => {
    const picture = new Image();
    picture.onload = () => resolve(true);
    picture.onerror = () => resolve(false);
    picture.src = '${address}picture';
  }));
  await attempt('webrtc', () => typeof RTCPeerConnection === 'function');
  await attempt('inner', async () => {
    document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: 'inside' }));
    await new Promise((resolve) => setTimeout(resolve));
    return document.querySelector('iframe');
  });
  const place = document.getElementById('verdict');
  place.textContent = JSON.stringify(verdict);
  place.dataset.done = '';
})();
</script>`;
}
