/**
 * The Python packages that researchers use, as their makers ship them, on both doors of the program with the model
 * inside. `npm run test:python` runs this file. The packages go into a folder that git does not know, and nothing of
 * them into the product. Ends with 77 where they cannot be had, after saying why.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { startGateway } from '#harness/gateway';
import { bringEnvironment, CannotBeHad, type PythonEnvironment } from '#harness/python-environment';

/** Newest at the time of writing; a new list makes a new environment. */
const packages = [
  'openai',
  'anthropic',
  'langchain-openai',
  'litellm',
  'instructor',
  'pydantic-ai-slim[openai]',
  'llama-index-llms-openai-like',
];

const environment = await bring('python-clients-1', packages);
/** Wants older versions of what the others want. */
const jupyter = await bring('jupyter-ai-2.31.7', [
  'jupyter-ai-magics==2.31.7',
  'langchain-openai<1',
  'ipython',
]);
const gateway = await startGateway({ settings: { listen: '127.0.0.1:0' } });
after(() => gateway.stop());
const { secret } = await gateway.createKey();
const doors = [
  { name: 'proxy', base: `${gateway.url}/api/`, key: secret },
  { name: 'direct', base: `${gateway.url}/{path}/v1/`, key: 'any text' },
];

const clients = new URL('./clients/', import.meta.url).pathname;
for (const file of readdirSync(clients).filter((name) => name.endsWith('_package.py')))
  for (const door of doors)
    test(`${file.replace('_package.py', '')} at the ${door.name} door`, async () => {
      const { python } = file.startsWith('jupyter') ? jupyter : environment;
      await promisify(execFile)(python, [file], {
        cwd: clients,
        timeout: 120_000,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: gateway.dataDir,
          PYTHONDONTWRITEBYTECODE: '1',
          GATEHOUSE_DOOR: door.name,
          GATEHOUSE_BASE: door.base,
          GATEHOUSE_KEY: door.key,
        },
      });
    });

function bring(name: string, wanted: readonly string[]): Promise<PythonEnvironment> {
  return bringEnvironment(name, ({ install }) => install(...wanted)).catch((cause: unknown) => {
    if (!(cause instanceof CannotBeHad)) throw cause;
    process.stderr.write(`The Python clients cannot be tried here: ${cause.message}\n`);
    process.exit(77);
  });
}
