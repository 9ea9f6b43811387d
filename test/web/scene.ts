import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '#harness/gateway';
import { startSimulatedEngine, type SimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { openCuttableLine } from './cuttable-line.ts';
import type { House } from './house.ts';

/** The real program before an engine that does what questions tell it (`sim:…`), over a line that can fail. */
export async function setScene(
  house: House,
  contextTokens?: number,
  /** Further models of the same engine. */
  others: readonly string[] = [],
) {
  const engine: SimulatedEngine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/beta'] });
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-web-'));
  const settings = {
    listen: '127.0.0.1:0',
    drain: '1s',
    engines: [{ name: 'engine-a', kind: 'vllm', url: engine.url }],
    models: [
      {
        id: 'beta-4-scout',
        engines: [{ engine: 'engine-a', model: 'org/beta' }],
        ...(contextTokens !== undefined && { context: contextTokens }),
      },
      ...others.map((id) => ({ id, engines: [{ engine: 'engine-a', model: 'org/beta' }] })),
    ],
  };
  let gateway = await startGateway({ settings, dataDir });
  const line = await openCuttableLine(gateway.url);
  const context = await house.visit({ baseURL: line.url });
  const page = await context.newPage();
  const link = await waitUntil('the first start prints a link', () =>
    Promise.resolve(/#link=\S+/.exec(gateway.logs())?.[0]),
  );
  await page.goto(`/sign-in${link}`);
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  return {
    engine,
    line,
    context,
    page,
    /** `gatehouse …` on the machine of the service. */
    command: (...words: string[]) => gateway.command(...words),
    async killAndStartAgain() {
      const { host } = new URL(gateway.url);
      await gateway.kill();
      gateway = await startGateway({ settings: { ...settings, listen: host }, dataDir });
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await line[Symbol.asyncDispose]();
      await gateway.stop();
      await engine.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
