import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { bringEnvironment } from '#harness/python-environment';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { runAlone } from './run-alone.ts';

const version = '0.86.2';

/** aider without a person before it: told to change a file, it asks the model, and writes what the model says. */
export async function proveAider(): Promise<void> {
  const { python } = await bringEnvironment(`aider-${version}`, ({ install }) =>
    install(`aider-chat==${version}`),
  );
  const engine = await startSimulatedEngine({
    flavour: 'vllm',
    models: [{ id: 'long', maxModelLen: 200_000 }],
    play: () => ({ words: 'Here it is.\n\nnote.txt\n```\nheron\n```\n' }),
  });
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines: [{ name: 'scripted', kind: 'vllm', url: engine.url }],
      models: [{ id: 'Long', path: 'long', engines: [{ engine: 'scripted', model: 'long' }] }],
    },
  });
  after(async () => {
    await gateway.stop();
    await engine.stop();
  });
  const { secret } = await gateway.createKey();

  test('aider writes into the file what it was asked for', async () => {
    const place = await mkdtemp(join(tmpdir(), 'gatehouse-aider-'));
    const [home, folder] = [join(place, 'home'), join(place, 'work')];
    await Promise.all([mkdir(home), mkdir(folder)]);
    const file = join(folder, 'note.txt');
    await writeFile(file, 'crow\n');
    const words = `-m aider --model openai/Long --openai-api-base ${gateway.url}/api --edit-format whole --no-git
      --yes-always --no-check-update --no-show-release-notes --no-show-model-warnings --no-detect-urls
      --analytics-disable --no-pretty --map-tokens 0`;
    const { status, said } = await runAlone(
      python,
      [...words.split(/\s+/), '--message', 'Make the bird in note.txt a heron.', 'note.txt'],
      { home, folder, env: { OPENAI_API_KEY: secret, LITELLM_LOCAL_MODEL_COST_MAP: 'True' } },
    );
    assert.equal(status, 0, said);
    assert.equal(await readFile(file, 'utf8'), 'heron\n', said);
    const isBooked = () =>
      gateway.usageRecords().some(({ door, ending }) => door === 'proxy' && ending === 'completed');
    await waitUntil('it is in the books', isBooked);
    await rm(place, { recursive: true, force: true });
  });
}
