import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { parse } from 'yaml';
import {
  allSnippets,
  continueSnippet,
  curlSnippet,
  shellSnippet,
  typescriptSnippet,
  type SnippetFacts,
} from './snippets.ts';
import { asReached } from './as-reached.ts';
import { forwardTunnel, sshuttleTunnel } from './tunnels.ts';

const facts: SnippetFacts = {
  proxyBase: 'https://models.example.org/api/',
  directBase: 'https://models.example.org/engine-b/v1/',
  model: 'alpha-R1',
};
const hostile: SnippetFacts = {
  ...facts,
  model: `it's "quoted" $(touch x) \`y\` \\`,
  keyName: "line\nbreak'; rm -rf / #",
};

test('every snippet holds the address and the model, and no slash too many', () => {
  for (const snippet of allSnippets(facts)) {
    assert.match(snippet.text, /https:\/\/models\.example\.org\/api/, snippet.id);
    assert.match(snippet.text, /alpha-R1/, snippet.id);
    assert.doesNotMatch(snippet.text, /[^:]\/\//, snippet.id);
  }
});

test('addresses are those of the page where the service has no name of its own, and else the ones it has', () => {
  const told = (publicUrl: string) => ({
    publicUrl,
    host: new URL(publicUrl).hostname,
    port: 8080,
    proxyBase: `${publicUrl}/api/`,
    models: [{ id: 'a', path: 'a', directBase: `${publicUrl}/a/v1/`, isForEmbeddings: false }],
    serverAddress: null,
    callerAddress: '10.0.0.1',
    mayUseDirectDoor: false,
  });
  const reached = asReached(told('http://localhost:8080'), 'http://lab.example.org:9000');
  assert.equal(reached.proxyBase, 'http://lab.example.org:9000/api/');
  assert.equal(reached.models[0]?.directBase, 'http://lab.example.org:9000/a/v1/');
  assert.deepEqual([reached.host, reached.port], ['lab.example.org', 9000]);
  const named = told('https://llm.example.org');
  assert.equal(asReached(named, 'http://localhost:9000'), named);
});

test('a model that turns texts into vectors is asked for vectors, and for nothing else', () => {
  const snippets = allSnippets({ ...facts, isForEmbeddings: true });
  assert.deepEqual(
    snippets.map(({ id }) => id),
    ['curl', 'python', 'typescript'],
  );
  for (const { id, text } of snippets) {
    assert.match(text, /\/embeddings|embeddings\.create/, id);
    assert.doesNotMatch(text, /chat/, id);
  }
});

test('the direct way names its own base and sends no key', () => {
  for (const { id, text } of allSnippets({ ...facts, door: 'direct' })) {
    assert.match(text, /engine-b\/v1/, id);
    assert.doesNotMatch(text, /GATEHOUSE_API_KEY(?!=)|Authorization|bearer/i, id);
  }
});

test('a shell reads the model as one word, whatever it holds', () => {
  const printed = execFileSync('sh', ['-c', `${shellSnippet(hostile).text}printf %s "$OPENAI_MODEL"`], {
    encoding: 'utf8',
  });
  assert.equal(printed, hostile.model);
  const body = execFileSync(
    'sh',
    ['-c', `curl() { while [ "$1" != -d ]; do shift; done; printf %s "$2"; }\n${curlSnippet(hostile).text}`],
    {
      encoding: 'utf8',
    },
  );
  assert.equal((JSON.parse(body) as { model: string }).model, hostile.model);
});

test('TypeScript and YAML stay what they are with a hostile name', () => {
  assert.match(stripTypeScriptTypes(typescriptSnippet(hostile).text), /chat\.completions\.create/);
  const config = parse(continueSnippet(hostile).text) as { models: { model: string }[] };
  assert.equal(config.models[0]?.model, hostile.model);
});

test('tunnels are filled with what is known and say what is not', () => {
  const tunnel = {
    host: 'models.example.org',
    port: 443,
    serverAddress: '192.0.2.10',
    login: '',
    instance: '',
    localPort: '8443',
    path: 'engine-b',
  };
  assert.equal(sshuttleTunnel(tunnel), 'sshuttle -r <LOGIN>@<instance_floating_ip> 192.0.2.10/32\n');
  assert.deepEqual(forwardTunnel({ ...tunnel, login: 'ada', instance: '198.51.100.7' }), {
    hostsLine: '127.0.0.1 models.example.org\n',
    command: 'ssh -N -L 8443:192.0.2.10:443 ada@198.51.100.7\n',
    directBase: 'https://models.example.org:8443/engine-b/v1/',
  });
});
