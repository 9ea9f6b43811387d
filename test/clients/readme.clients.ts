import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import { startWitness } from '#harness/witness';
import type { Finished } from './command-line.ts';
import { readReadme } from './readme-blocks.ts';
import { openSnippetBench } from './snippet-bench.ts';
import { startAsReader } from './started-by-readme.ts';
import { testEveryAnswer } from './stage.ts';

/** A reader who does what the README says, from the first line to the last. Only the port is another. */
const { blocks, commands } = readReadme();
const untouched = new Set(blocks);
const bench = await openSnippetBench();

function block(language: string, mark: RegExp): string {
  const found = [...untouched].filter(({ language: own, text }) => own === language && mark.test(text));
  assert.equal(found.length, 1, `one ${language} block with ${mark}`);
  untouched.delete(found[0]!);
  return found[0]!.text;
}

const service = await startAsReader(block('sh', /^npm start$/m), bench.folder);
const witness = await startWitness(service.url);
after(async () => {
  await witness.stop();
  await service.stop();
  await bench.clear();
});
const here = (text: string) => text.replaceAll('http://127.0.0.1:8080', witness.url);
const env: Record<string, string> = { ...service.env };

test('npm start prints a link that opens, and the addresses', async () => {
  const link = await waitUntil('a link is printed', () => /Open\s+(http:\S+)\s/.exec(service.printed())?.[1]);
  assert.ok(link.startsWith(`${service.url}/`), link);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.match(service.printed(), new RegExp(`${service.url}/engine-b/v1/`));
});

test('a key is made on the command line', async () => {
  const made = await bench.run('sh', `${block('sh', /keys create/)}\nprintf %s "$GATEHOUSE_KEY"`, env);
  assert.match(saidBy(made), /^gh_\w+$/);
  env['GATEHOUSE_KEY'] = made.stdout;
  // A busy machine may look for new keys late.
  const headers = { authorization: `bearer ${made.stdout}` };
  await waitUntil('the key is known', async () => (await fetch(`${service.url}/api/models`, { headers })).ok);
});

test('curl with a key, and without', async () => {
  const chat = saidBy(await bench.run('sh', here(block('sh', /api\/chat\/completions/)), env));
  assert.match((JSON.parse(chat) as Chat).choices[0]!.message.content, /42/);
  const text = saidBy(await bench.run('sh', here(block('sh', /v1\/completions/)), env));
  assert.notEqual((JSON.parse(text) as { choices: { text: string }[] }).choices[0]!.text, '');
});

test('curl in another dialect', async () => {
  const said = saidBy(await bench.run('sh', here(block('sh', /api\/v1\/messages/)), env));
  assert.notEqual((JSON.parse(said) as { content: { text: string }[] }).content[0]!.text, '');
});

test('Python streams the answer of a model that thinks aloud', async () => {
  const said = saidBy(await bench.run('python', here(block('python', /stream=True/)), env));
  assert.match(said, /^<think>[^]+<\/think>/);
});

test('TypeScript gets a call of the tool', async () => {
  const said = saidBy(await bench.run('ts', here(block('ts', /tools:/)), env));
  assert.match(said, /name: 'get_current_weather'/);
  assert.match(said, /Boston/);
});

test('the settings are understood as they stand', async () => {
  const folder = join(bench.folder, 'etc');
  await mkdir(folder);
  for (const file of ['cert.pem', 'key.pem']) await writeFile(join(folder, file), '');
  const file = join(folder, 'gatehouse.yaml');
  await writeFile(file, block('yaml', /publicUrl/).replaceAll('/etc/gatehouse', folder));
  const { GATEHOUSE_LISTEN: _, ...quiet } = env;
  const shown = await bench.run('sh', 'npm run --silent gatehouse -- settings', {
    ...quiet,
    GATEHOUSE_SETTINGS: file,
  });
  assert.match(saidBy(shown), /https:\/\/llm\.example\.org/);
  assert.match(shown.stdout, /genomics/);
});

test('the commands named in the text work', async () => {
  assert.ok(commands.length >= 5, commands.join('\n'));
  const gatehouse = (words: string) => bench.run('sh', `npm run --silent gatehouse -- ${words}`, env);
  const keyId = /\bkey_\w+/.exec(saidBy(await gatehouse('keys list')))![0];
  for (const command of commands) {
    const filledIn = command.replace(/\bID$/, keyId).replace(/\bFOLDER$/, join(bench.folder, 'kept'));
    assert.doesNotMatch(filledIn, /\b(?!NAME)[A-Z]{4,}$/, 'a placeholder nobody fills in');
    const { status, stderr } = await gatehouse(filledIn);
    assert.equal(status, 0, `${command}: ${stderr}`);
  }
});

test('what a contributor runs is there, and no block was left out', async () => {
  assert.equal(saidBy(await bench.run('sh', block('sh', /npm test/), env)), 'npm install\nnpm test\n');
  assert.deepEqual([...untouched], []);
});

interface Chat {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

function saidBy({ status, stdout, stderr }: Finished): string {
  assert.equal(status, 0, stderr);
  assert.notEqual(stdout.trim(), '', stderr);
  return stdout;
}

testEveryAnswer({ witness });
