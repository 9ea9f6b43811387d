import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { parse } from 'yaml';
import { allSnippets } from '../../web/src/connect/snippets.ts';
import type { Snippet, SnippetFacts } from '../../web/src/connect/snippets.ts';
import { forwardTunnel, sshuttleTunnel } from '../../web/src/connect/tunnels.ts';
import { runProgram } from './command-line.ts';
import type { Finished } from './command-line.ts';
import type { SnippetBench } from './snippet-bench.ts';
import type { Stage } from './stage.ts';

/** Every text of the Connect page, run as it stands. */
export function testConnectSnippets(stage: Stage, bench: SnippetBench): void {
  const proxyBase = `${stage.url}/api/`;
  const directBase = (path: string) => `${stage.url}/${path}/v1/`;
  const keyName = `Ada's "laptop" $(exit 7) \`exit 8\`\n# 笔记本`;

  /** As the page shows them: the key in the environment, its name in a comment. And as a page with the key in them would. */
  const cases: Record<string, SnippetFacts> = {
    'proxy door, key in the environment': {
      proxyBase,
      directBase: directBase('gamma-oss-120b'),
      model: 'gamma-oss-120b',
      keyName,
    },
    'proxy door, key in the text': {
      proxyBase,
      directBase: directBase('beta-4-scout'),
      model: 'beta-4-scout',
      key: stage.key,
    },
    'direct door': {
      proxyBase,
      directBase: directBase('engine-b'),
      door: 'direct',
      model: 'alpha-R1',
      keyName,
    },
  };

  for (const [name, facts] of Object.entries(cases)) {
    const env = { GATEHOUSE_API_KEY: stage.key };
    const base = (facts.door === 'direct' ? facts.directBase : facts.proxyBase).replace(/\/$/, '');
    const key = facts.door === 'direct' ? 'unused' : stage.key;
    const snippets = Object.fromEntries(
      allSnippets(facts).map((snippet) => [snippet.id, snippet.text]),
    ) as Record<Snippet['id'], string>;

    test(`${name}: curl`, async () => {
      const { choices } = JSON.parse(
        saidBy(await bench.run('sh', snippets.curl, env)),
      ) as OpenAI.ChatCompletion;
      assert.ok(choices[0]!.message.content!.trim());
    });

    test(`${name}: Python, TypeScript and LangChain`, async () => {
      saidBy(await bench.run('python', snippets.python, env));
      saidBy(await bench.run('ts', snippets.typescript, env));
      saidBy(await bench.run('python', snippets.langchain, env));
    });

    test(`${name}: shell variables, with which a client needs no further word`, async () => {
      // What the page cannot know the reader fills in.
      const filledIn = snippets.shell.replace('gh_…', stage.key);
      const client = `import OpenAI from 'openai';
      const model = process.env.OPENAI_MODEL;
      const answer = await new OpenAI().chat.completions.create({
        model, messages: [{ role: 'user', content: 'Hello' }],
      });
      console.log(answer.model);`;
      const script = `${filledIn}\ncd ${bench.folder}\n"${process.execPath}" --input-type=module -e '${client.replaceAll("'", `"`)}'\necho "$GATEHOUSE_API_KEY"`;
      const said = saidBy(await bench.run('sh', script));
      assert.deepEqual(said.trim().split('\n'), [facts.model, key]);
    });

    test(`${name}: the variables of Claude Code, with which its package needs no further word`, async () => {
      const client = `import Anthropic from '@anthropic-ai/sdk';
      const model = process.env.ANTHROPIC_DEFAULT_HAIKU_MODEL;
      const answer = await new Anthropic().messages.create({
        model, max_tokens: 8, messages: [{ role: 'user', content: 'Hello' }],
      });
      console.log(answer.model, answer.stop_reason);`;
      const script = `${snippets.claude}\ncd ${bench.folder}\n"${process.execPath}" --input-type=module -e '${client.replaceAll("'", `"`)}'`;
      const [model, reason] = saidBy(await bench.run('sh', script, env))
        .trim()
        .split(' ');
      assert.equal(model, facts.model);
      assert.match(String(reason), /^(?:end_turn|max_tokens)$/);
    });

    test(`${name}: the settings of Codex, as its provider would use them`, async () => {
      const settings = Object.fromEntries(
        [...snippets.codex.matchAll(/^(\w+) = (".*?")/gm)].map(([, field = '', value = '']) => [
          field,
          JSON.parse(value) as string,
        ]),
      );
      const { wire_api: dialect, base_url: baseURL, model = '', env_key: variable } = settings;
      assert.deepEqual([dialect, baseURL, model], ['responses', base, facts.model]);
      assert.equal(variable, name === 'proxy door, key in the environment' ? 'GATEHOUSE_API_KEY' : undefined);
      const apiKey = settings.experimental_bearer_token ?? key;
      const { responses } = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
      const { model: answered } = await responses.create({ model, input: 'Hello', max_output_tokens: 8 });
      assert.equal(answered, facts.model);
    });

    test(`${name}: R`, async () => {
      assert.ok(snippets.r.includes(`"${base}/chat/completions"`));
      assert.equal(snippets.r.includes('req_auth_bearer_token'), facts.door !== 'direct');
      // R and these packages are rare on machines that build TypeScript; where they are, the text is run.
      const found = await runProgram('sh', ['-c', `Rscript -e 'library(httr2); library(jsonlite)'`]);
      if (found.status === 0) saidBy(await runProgram('Rscript', ['-e', snippets.r], { env }));
    });

    test(`${name}: Continue and Cline, with what their forms would make of it`, async () => {
      const { models } = parse(snippets.continue) as { models: Record<string, string>[] };
      const entry = models[0]!;
      assert.deepEqual([entry['provider'], entry['model'], entry['apiBase']], ['openai', facts.model, base]);
      const form = Object.fromEntries(
        snippets.cline.split('\n').map((line) => line.split(/:\s+/, 2) as [string, string]),
      );
      assert.deepEqual([form['Base URL'], form['Model ID']], [base, facts.model]);
      const isFilledIn = facts.key !== undefined || facts.door === 'direct';
      const secret = '${{ secrets.GATEHOUSE_API_KEY }}';
      assert.equal(entry['apiKey'], isFilledIn ? key : secret);
      if (isFilledIn) assert.equal(form['API Key'], key);
      for (const baseURL of [entry['apiBase']!, form['Base URL']!]) {
        const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 });
        const chunks = await client.chat.completions.create({
          model: form['Model ID']!,
          messages: [{ role: 'user', content: 'Hello' }],
          max_tokens: 8,
          stream: true,
        });
        for await (const chunk of chunks) assert.equal(chunk.model, facts.model);
      }
    });
  }

  test('tunnels: the shell hands sshuttle and ssh exactly the words meant, for either kind of address', async () => {
    const facts = {
      host: 'llm.example.org',
      port: 443,
      login: 'ada',
      instance: '198.51.100.7',
      localPort: '8443',
    };
    const words = async (serverAddress: string | null, act: (given: TunnelGiven) => string) => {
      const text = act({ ...facts, path: 'engine-b', serverAddress });
      const printing = `sshuttle() { printf '%s\\n' "$@"; }\nssh() { printf '%s\\n' "$@"; }\n`;
      return saidBy(await bench.run('sh', printing + text))
        .trim()
        .split('\n');
    };
    const forward = (given: TunnelGiven) => forwardTunnel(given).command;
    assert.deepEqual(await words('203.0.113.5', sshuttleTunnel), [
      '-r',
      'ada@198.51.100.7',
      '203.0.113.5/32',
    ]);
    assert.deepEqual(await words('2001:db8::5', sshuttleTunnel), [
      '-r',
      'ada@198.51.100.7',
      '2001:db8::5/128',
    ]);
    assert.deepEqual(await words('203.0.113.5', forward), [
      '-N',
      '-L',
      '8443:203.0.113.5:443',
      'ada@198.51.100.7',
    ]);
    assert.deepEqual(await words('2001:db8::5', forward), [
      '-N',
      '-L',
      '8443:[2001:db8::5]:443',
      'ada@198.51.100.7',
    ]);
    const { hostsLine, directBase: address } = forwardTunnel({
      ...facts,
      path: 'engine-b',
      serverAddress: null,
    });
    assert.equal(hostsLine, '127.0.0.1 llm.example.org\n');
    assert.equal(address, 'https://llm.example.org:8443/engine-b/v1/');
  });
}

type TunnelGiven = Parameters<typeof forwardTunnel>[0];

/** A snippet that works ends well, says something and complains about nothing but curl's meter. */
function saidBy({ status, stdout, stderr }: Finished): string {
  assert.equal(status, 0, stderr);
  assert.notEqual(stdout.trim(), '', stderr);
  return stdout;
}
