import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { House } from '../house.ts';
import { setScene } from '../scene.ts';
import { answerIsOver, ask, found } from '../steps.ts';

export const installedJourneys = {
  'the page can be installed under the name of the service, and says so when the service cannot be reached':
    async (house: House) => {
      await using scene = await setScene(house);
      const { page, line } = scene;
      const manifest = await page.request.get('/manifest.webmanifest');
      assert.equal(manifest.headers()['content-type'], 'application/manifest+json');
      const { name, icons } = (await manifest.json()) as { name: string; icons: { src: string }[] };
      assert.equal(name, 'Gatehouse');
      for (const { src } of icons) assert.equal((await page.request.get(src)).status(), 200, src);
      await workerIsThere(page);
      line.cut();
      await page.goto('/settings');
      await page.getByText('This page reconnects by itself.').waitFor();
      line.mend();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      const kept = await page.evaluate<string[]>('caches.keys()');
      assert.deepEqual(kept, [], 'nothing of the service is kept');
    },

  'whoever asked for it is told when an answer is done, without a word of it, and a click leads there':
    async (house: House) => {
      const context = await house.visitSignedIn({ permissions: ['notifications'] });
      const page = await context.newPage();
      // Chromium without a screen has nowhere to show it: what it is asked to show is noted instead.
      await page.addInitScript(
        `ServiceWorkerRegistration.prototype.showNotification = async (title, options) => { globalThis.told = { title, ...options } }`,
      );
      await page.goto('/settings/chatting');
      const wish = 'Tell me when an answer is done';
      await page.getByRole('checkbox', { name: wish }).click();
      await page.getByRole('checkbox', { name: wish, checked: true }).waitFor();
      await page.goto('/');
      await workerIsThere(page);
      await page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })`);
      await ask(page, 'What is 20 plus 22?');
      await answerIsOver(page);
      const { title, body, data } = await found<Record<string, unknown>>(page, 'globalThis.told');
      assert.deepEqual([title, body], ['Your answer is done', undefined]);
      const chat = page.url();
      assert.deepEqual(data, { path: new URL(chat).pathname });
      // The click comes while the page still asks who is signed in.
      const isClicked = Promise.withResolvers<undefined>();
      await page.route('**/console/session', async (route) => {
        await isClicked.promise;
        await route.continue();
      });
      await page.goto('/usage');
      await workerIsThere(page);
      await clickNotification(page, data);
      isClicked.resolve(undefined);
      await page.waitForURL(chat);
      await page.getByRole('article', { name: 'You' }).waitFor();
      await context.close();
    },
};

async function workerIsThere(page: Page): Promise<void> {
  await found(page, 'navigator.serviceWorker.controller !== null');
}

/** As the browser tells the worker; what was never shown cannot be clicked on. */
async function clickNotification(page: Page, data: unknown): Promise<void> {
  const worker = page
    .context()
    .serviceWorkers()
    .findLast((each) => new URL(each.url()).pathname === '/service-worker.js');
  assert.ok(worker);
  await worker.evaluate(
    `dispatchEvent(Object.assign(new Event('notificationclick'), {
      notification: { close() {}, data: ${JSON.stringify(data)} },
      waitUntil() {},
    }))`,
  );
}
