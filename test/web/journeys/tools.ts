import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startToolStage } from '../../console/tool-stage.ts';
import { assertAccessible } from '../accessible.ts';
import type { House } from '../house.ts';
import { ask } from '../steps.ts';

/** Tools of servers, with consent. */
export const toolJourneys = {
  'a tool is switched on, asked about across a reload, called, its result read as text, and allowed for the chat':
    async (house: House) => {
      await using stage = await startToolStage();
      const { url } = stage.gateway;
      const context = await house.visit({ baseURL: url });
      await context.addCookies([...stage.person.cookies].map(([name, value]) => ({ name, value, url })));
      const page = await context.newPage();
      await page.goto('/');
      await page.getByRole('button', { name: 'Not now' }).click();
      await page.getByRole('button', { name: 'Tools' }).click();
      await page.getByRole('menuitemcheckbox', { name: /The library/ }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Tools: 1 server on' }).waitFor();
      await ask(page, 'Please use hostile quince');

      await question(page).getByText('This would be sent to The library').waitFor();
      assert.match(await question(page).innerText(), /word\s*quince/);
      assert.deepEqual(await stage.library.calls(), []);
      await page.reload();
      await question(page).getByRole('button', { name: 'Allow in this chat' }).click();
      await words(page).first().waitFor();
      const call = page.getByRole('article', { name: 'hostile, a tool of The library' });
      await call.getByText('Done').click();
      await call.getByText('<script>document.title=2</script>').waitFor();
      assert.equal(await call.locator('img, script').count(), 0);

      await ask(page, 'use hostile pear');
      await words(page).nth(1).waitFor();
      assert.equal((await stage.library.calls()).length, 2, 'not asked again in this chat');

      await ask(page, 'use slow it');
      await question(page).getByRole('button', { name: 'Refuse' }).waitFor();
      await assertAccessible(page, 'a question about a tool, below a result');
      await question(page).getByRole('button', { name: 'Refuse' }).click();
      await words(page).nth(2).waitFor();
      await page.getByText('Refused').waitFor();
      await ask(page, 'use slow it');
      await question(page).getByRole('button', { name: 'Allow once' }).click();
      await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('article[data-tool="slow"][data-state="stopped"]').waitFor();
      await context.close();
    },
};

function question(page: Page) {
  return page.locator('article[data-tool][data-state="running"]');
}

/** What the engine says when it asks for no tool, as often as it has said it. */
function words(page: Page) {
  return page.getByTestId('messages').getByText('Grüße aus der Küche');
}
