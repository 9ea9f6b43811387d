import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freePort } from '#harness/free-port';
import { startGateway } from '#harness/gateway';
import { bringEnvironment } from '#harness/python-environment';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { startEngineProcess } from '../engines/engine-process.ts';
import { openBrowser } from '../web/browser.ts';
import { aloneEnvironment } from './run-alone.ts';

const version = '0.12.4';
const patienceMs = 180_000;

/** Open WebUI with the proxy door as its one provider, and a person at its page. */
export async function proveOpenWebui(): Promise<void> {
  const { python } = await bringEnvironment(`open-webui-${version}`, ({ install }) =>
    install(`open-webui==${version}`),
  );
  const engine = await startSimulatedEngine({
    flavour: 'vllm',
    models: [{ id: 'long', maxModelLen: 200_000 }],
    play: () => ({ words: 'A heron stands in the reeds and waits.' }),
  });
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines: [{ name: 'scripted', kind: 'vllm', url: engine.url }],
      models: [
        // It sends tools of its own with every question.
        { id: 'Long', path: 'long', engines: [{ engine: 'scripted', model: 'long' }], tools: true },
      ],
    },
  });
  const { secret } = await gateway.createKey();
  const home = await mkdtemp(join(tmpdir(), 'gatehouse-open-webui-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const program = await startEngineProcess(
    join(python, '../open-webui'),
    ['serve', '--host', '127.0.0.1', '--port', new URL(url).port],
    { ...aloneEnvironment(home), ...settingsFor(home, `${gateway.url}/api`, secret) },
    url,
  );
  const browser = await openBrowser();
  after(async () => {
    await browser.close();
    await program.stop();
    await gateway.stop();
    await engine.stop();
    await rm(home, { recursive: true, force: true });
  });

  test('Open WebUI finds the model, streams an answer and remembers it in the next question', async () => {
    const page = await browser.newPage({ locale: 'en-US' });
    page.setDefaultTimeout(patienceMs);
    // What is new in this version, told whenever it likes.
    const news = page.getByRole('button', { name: "Okay, Let's Go!" });
    await page.addLocatorHandler(news, (button) => button.click());
    await page.goto(url);
    await ask(page, 'Which bird waits in the reeds?');
    await page.getByText('A heron stands in the reeds and waits.').first().waitFor();
    await ask(page, 'And which one sings?');
    const second = await waitUntil(
      'the second question is asked, with the first answer before it',
      () => engine.requestsMarked('And which one sings?').find(({ body }) => body.includes('A heron stands')),
      patienceMs,
    );
    const { stream, messages } = JSON.parse(String(second.body)) as { stream: boolean; messages: object[] };
    assert.deepEqual([stream, messages.length], [true, 3]);
    await waitUntil(
      'both are in the books',
      () =>
        gateway.usageRecords().filter(({ door, ending }) => door === 'proxy' && ending === 'completed')
          .length >= 2,
    );
  });
}

async function ask(page: Page, question: string): Promise<void> {
  const input = page.locator('#chat-input');
  await input.click();
  await input.pressSequentially(question);
  await page.locator('#send-message-button').click();
}

/** Nothing but the chat: nobody signs in, nothing is fetched, and it writes no titles of its own. */
function settingsFor(home: string, base: string, key: string): Record<string, string> {
  return {
    DATA_DIR: home,
    OPENAI_API_BASE_URL: base,
    OPENAI_API_KEY: key,
    DEFAULT_MODELS: 'Long',
    WEBUI_SECRET_KEY: 'only for this test',
    WEBUI_AUTH: 'False',
    ENABLE_OLLAMA_API: 'False',
    ENABLE_TITLE_GENERATION: 'False',
    ENABLE_TAGS_GENERATION: 'False',
    ENABLE_FOLLOW_UP_GENERATION: 'False',
    ENABLE_VERSION_UPDATE_CHECK: 'False',
    RAG_EMBEDDING_ENGINE: 'openai',
    OFFLINE_MODE: 'True',
    HF_HUB_OFFLINE: '1',
    ANONYMIZED_TELEMETRY: 'False',
    DO_NOT_TRACK: '1',
  };
}
