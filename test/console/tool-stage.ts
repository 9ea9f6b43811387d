import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '#contract/messages';
import { startGateway, type Gateway } from '#harness/gateway';
import { startSimulatedEngine, type SimulatedEngine } from '#harness/simulated-engine';
import type { Json } from '#harness/simulated-flavours';
import { startToolServer, type ToolServer } from '#harness/tool-server';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from './visitor.ts';

export const model = 'beta-4-scout';

/** The real program between an engine that plays calls of tools and a real MCP server. */
export interface ToolStage extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly engine: SimulatedEngine;
  readonly library: ToolServer;
  readonly person: Visitor;
  readonly settings: object;
  killAndStartAgain(): Promise<void>;
}

export async function startToolStage(): Promise<ToolStage> {
  const [engine, library] = await Promise.all([
    startSimulatedEngine({ flavour: 'vllm', models: ['org/beta'], play }),
    startToolServer(),
  ]);
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-tools-'));
  const settings = {
    listen: '127.0.0.1:0',
    drain: '1s',
    engines: [{ name: 'engine-a', kind: 'vllm', url: engine.url }],
    models: [{ id: model, tools: true, titles: false, engines: [{ engine: 'engine-a', model: 'org/beta' }] }],
    tools: {
      maxRounds: 3,
      servers: [
        {
          name: 'library',
          label: 'The library',
          url: library.url,
          credential: 'a secret of the shelves',
          credentialHeader: 'X-Library-Key',
          resultLimit: '4KiB',
        },
        {
          name: 'hasty',
          url: library.url,
          timeLimit: '300ms',
          credential: 'x',
          credentialHeader: 'X-Library-Key',
        },
        { name: 'closed', url: library.url, projects: ['nobody'] },
      ],
    },
  };
  let gateway = await startGateway({ settings, dataDir });
  const { host } = new URL(gateway.url);
  const person = new Visitor(gateway.url);
  const link = await waitUntil(
    'the first start prints a link',
    () => /#link=(\S+)/.exec(gateway.logs())?.[1],
  );
  await person.ok('POST /console/sign-in/link', { body: { token: link } });
  return {
    get gateway() {
      return gateway;
    },
    engine,
    library,
    person,
    settings,
    async killAndStartAgain() {
      await gateway.kill();
      gateway = await startGateway({ settings: { ...settings, listen: host }, dataDir });
    },
    async [Symbol.asyncDispose]() {
      await gateway.stop();
      await engine.stop();
      await library[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The model does what the last question says: `use lookup quince`, or `use lookup quince always`. */
function play(request: Json) {
  const messages = (request['messages'] ?? []) as readonly { role: string; content: unknown }[];
  const tools = (request['tools'] ?? []) as readonly { function: { name: string } }[];
  const question = String(messages.findLast(({ role }) => role === 'user')?.content);
  const [, tool, word, always] = /use (\S+) (\S+)( always)?/.exec(question) ?? [];
  const isAnswered = messages.at(-1)?.role === 'tool' && always === undefined;
  const known = tools.find(({ function: { name } }) => name.endsWith(`_${tool}`));
  if (known === undefined || isAnswered) return undefined;
  return { name: known.function.name, arguments: { word } };
}

let clicks = 0;

export async function ask(person: Visitor, content: string, chat?: { id: string; server?: string }) {
  const parentId = chat === undefined ? null : ((await read(person, chat.id)).at(-1)?.id ?? null);
  const started = await person.ok('POST /console/generations', {
    body: {
      chatId: chat?.id ?? null,
      parentId,
      newMessages: [{ role: 'user', content }],
      model,
      parameters: { toolServers: ['library'] },
      requestKey: `tool-click-${(clicks += 1)}`,
    },
  });
  return started.chat.id;
}

export async function read(person: Visitor, chatId: string): Promise<readonly Message[]> {
  return (await person.ok('GET /console/chats/:chatId', { chatId })).messages;
}

/** The call that waits for its person in this chat. */
export async function questionIn(person: Visitor, chatId: string): Promise<Message> {
  return await waitUntil('a call waits for its person', async () =>
    (await read(person, chatId)).find(({ state, tool }) => state === 'running' && tool?.consent === 'asked'),
  );
}

export async function decide(
  person: Visitor,
  call: Message,
  decision: 'once' | 'chat' | 'always' | 'refuse',
) {
  assert.ok(call.generationId !== null);
  const { generationId } = call;
  await person.ok('POST /console/generations/:generationId/consent', { generationId, body: { decision } });
}

/** The chat when nothing is written in it any more. */
export async function over(person: Visitor, chatId: string): Promise<readonly Message[]> {
  return await waitUntil('nothing runs in the chat', async () => {
    const messages = await read(person, chatId);
    const last = messages.at(-1);
    const isOver = messages.every(({ state }) => state !== 'running');
    const isAnswered = last?.role === 'assistant' && last.content !== '';
    return isOver && (isAnswered || last?.state === 'stopped') ? messages : undefined;
  });
}
