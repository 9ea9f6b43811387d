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
      await page.getByRole('button', { name: 'Create new secret key' }).click();
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

  'the connect page is filled in, and the usage page counts what was used': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
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
    await page.getByRole('rowheader', { name: 'Notebook' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    assert.match((await download).suggestedFilename(), /\.csv$/);
    await context.close();
  },
};
