import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { curlSnippet } from '../../../web/src/connect/snippets.ts';
import type { House } from '../house.ts';

export const keyJourneys = {
  'user menu, Settings, Account, API keys, create, copy: the key works at once and is refused once revoked':
    async (house: House) => {
      const context = await house.visitSignedIn({ permissions: ['clipboard-read', 'clipboard-write'] });
      const page = await context.newPage();
      await page.goto('/');
      await page.getByRole('button', { name: /^User menu/ }).click();
      await page.getByRole('menuitem', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByRole('link', { name: 'API keys' }).click();
      const create = page.getByRole('button', { name: 'Create new secret key' });
      await create.click();
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('button:focus', { hasText: 'Create new secret key' }).waitFor();
      await create.click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Notebook');
      await page.getByRole('button', { name: 'Create key', exact: true }).click();
      await page.getByRole('button', { name: 'Copy key' }).click();
      const key = await page.evaluate<string>('navigator.clipboard.readText()');
      assert.match(key, /^gh_/);

      const client = new OpenAI({ baseURL: `${house.gateway.url}/api`, apiKey: key, maxRetries: 0 });
      const request = {
        model: 'beta-4-scout',
        messages: [{ role: 'user' as const, content: 'What is the capital of Norway?' }],
      };
      const answer = await client.chat.completions.create(request);
      assert.match(answer.choices[0]?.message.content ?? '', /Oslo/);
      const snippet = curlSnippet({
        proxyBase: `${house.gateway.url}/api/`,
        directBase: '',
        model: 'beta-4-scout',
        key,
      });
      const { stdout } = await promisify(execFile)('sh', ['-c', snippet.text]);
      assert.match(stdout, /"choices"/);

      await page.getByRole('button', { name: 'Done' }).click();
      assert.ok(!(await page.content()).includes(key), 'the secret is gone from the page');
      const kept = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
      );
      assert.ok(!kept.includes('gh_'), 'no secret is kept in the browser');
      await page.getByRole('button', { name: 'Actions for key Notebook' }).click();
      await page.getByRole('menuitem', { name: 'Revoke key' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
      await page.getByText('Key “Notebook” revoked').waitFor();
      await page.getByText(/from 127\.0\.0\.1/).waitFor();
      await assert.rejects(
        client.chat.completions.create(request),
        (error) => error instanceof OpenAI.AuthenticationError,
      );
      await context.close();
    },

  'a key is restricted, rotated with an overlap and revoked, and the proxy door does what the list says':
    async (house: House) => {
      const context = await house.visitSignedIn();
      const page = await context.newPage();
      await page.goto('/settings/account/keys');
      const secret = async () => {
        const field = page.getByRole('textbox', { name: 'Secret key' });
        const shown = await field.inputValue();
        // The only copy is not thrown away by a key pressed too soon.
        await page.keyboard.press('Escape');
        const question = page.getByRole('alertdialog');
        await question.getByRole('button', { name: 'Cancel' }).click();
        assert.equal(await field.inputValue(), shown);
        await page.getByRole('button', { name: 'Done' }).click();
        await question.getByRole('button', { name: 'Close' }).click();
        await field.waitFor({ state: 'detached' });
        return shown;
      };
      await page.getByRole('button', { name: 'Create new secret key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Cluster');
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('in 90 days');
      await page.getByRole('checkbox', { name: 'Restrict this key' }).check();
      await page.getByRole('checkbox', { name: 'beta-4-scout' }).check();
      await page.getByRole('textbox', { name: 'Networks' }).fill('here and there');
      await page.getByRole('button', { name: 'Create key', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await page.getByRole('textbox', { name: 'Networks' }).fill('127.0.0.0/8, ::1');
      await page.getByRole('button', { name: 'Create key', exact: true }).click();
      const first = await secret();
      const rows = page.getByRole('list', { name: 'API keys' }).getByRole('listitem');
      const row = rows.filter({ hasText: first.slice(0, 8) });
      await row.filter({ hasText: 'beta-4-scout' }).filter({ hasText: '127.0.0.0/8' }).waitFor();
      assert.equal(await askWith(house, first), 200);
      assert.equal(await askWith(house, first, 'gamma-oss-120b'), 403);

      const rotate = async (old: string, overlap: string) => {
        const oldRow = rows.filter({ hasText: old.slice(0, 8) });
        await oldRow.getByRole('button', { name: 'Actions for key Cluster' }).click();
        await page.getByRole('menuitem', { name: 'Rotate key' }).click();
        await page.getByRole('combobox', { name: 'The old secret works for' }).selectOption(overlap);
        await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
        return await secret();
      };
      const second = await rotate(first, 'one more hour');
      await row
        .filter({ hasText: 'Old secret, replaced' })
        .filter({ hasText: /Stops working\s*in/ })
        .waitFor();
      assert.deepEqual([await askWith(house, first), await askWith(house, second)], [200, 200]);
      assert.equal(await askWith(house, second, 'gamma-oss-120b'), 403, 'restrictions are kept');
      await row.getByRole('button', { name: 'Actions for key Cluster' }).click();
      await page.getByRole('menuitem', { name: 'Revoke key' }).waitFor();
      assert.equal(await page.getByRole('menuitem', { name: 'Rotate key' }).count(), 0);
      await page.keyboard.press('Escape');
      const third = await rotate(second, 'no longer');
      await rows
        .filter({ hasText: second.slice(0, 8) })
        .getByText('Expired', { exact: true })
        .waitFor();
      assert.deepEqual([await askWith(house, second), await askWith(house, third)], [401, 200]);

      await page.getByRole('button', { name: 'Create new secret key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Elsewhere');
      await page.getByRole('checkbox', { name: 'Restrict this key' }).check();
      await page.getByRole('textbox', { name: 'Networks' }).fill('192.0.2.0/24');
      await page.getByRole('button', { name: 'Create key', exact: true }).click();
      assert.equal(await askWith(house, await secret()), 401);
      await context.close();
    },

  'the connect page is filled in, and the usage page counts what was used': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    const made = await house.gateway.createKey({ name: 'Thesis', email: 'operator@localhost' });
    assert.equal(await askWith(house, made.secret), 200);
    await page.goto('/connect');
    assert.equal(
      await page.getByLabel('Base address', { exact: true }).inputValue(),
      `${house.gateway.url}/api/`,
    );
    await page.getByText('Direct', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('alpha-R1');
    assert.equal(
      await page.getByLabel('Base address', { exact: true }).inputValue(),
      `${house.gateway.url}/engine-b/v1/`,
    );
    await page.getByRole('button', { name: 'Python' }).click();
    await page.getByText('from openai import OpenAI').waitFor();
    await page.goto('/usage');
    await page.getByRole('rowheader', { name: 'beta-4-scout' }).waitFor();
    await page.getByText('By key', { exact: true }).click();
    await page.getByRole('rowheader', { name: 'Thesis' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    assert.match((await download).suggestedFilename(), /\.csv$/);
    await context.close();
  },
};

/** The status that the official client reports. */
async function askWith(house: House, apiKey: string, model = 'beta-4-scout'): Promise<number> {
  const client = new OpenAI({ baseURL: `${house.gateway.url}/api`, apiKey, maxRetries: 0 });
  try {
    await client.chat.completions.create({
      model,
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    return 200;
  } catch (error) {
    if (error instanceof OpenAI.APIError) return Number(error.status);
    throw error;
  }
}
