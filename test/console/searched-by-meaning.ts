import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '#harness/service';
import { mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import type { Visitor } from './visitor.ts';

const pages = Array.from({ length: 40 }, (_, index) =>
  index === 30
    ? 'The automobile of the abbot stands below the chapel.'
    : `Page ${index + 1} tells of ordinary things. ${'The weather was as it always is. '.repeat(30)}`,
);

/** A model for embeddings is put up while the service runs, and its engine dies later on. */
export async function searchByMeaning({ gateway, settings }: Service, visitor: Visitor): Promise<void> {
  await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/vectors'] });
  const projectId = 'abbey';
  await visitor.ok('POST /console/administration/projects', { body: { id: projectId, name: 'Abbey' } });
  const email = 'operator@localhost';
  await visitor.ok('PUT /console/projects/:projectId/members', { projectId, body: { email, role: 'lead' } });
  const models = settings.models.map((model) => ({ ...model, context: 2048 }));
  await gateway.rewriteSettings({
    ...settings,
    engines: [...settings.engines, { name: 'engine-v', kind: 'vllm', url: engine.url }],
    models: [
      ...models,
      {
        id: 'vectors',
        engines: [{ engine: 'engine-v', model: 'org/vectors' }],
        embeddings: true,
        queryPrefix: 'query: ',
        passagePrefix: 'passage: ',
      },
    ],
  });
  await waitUntil('the model is served', async () => {
    const { name } = await visitor.ok('GET /console/spaces/:projectId', { projectId });
    assert.equal(name, 'Abbey', 'a reload takes no project away');
    const served = await visitor.ok('GET /console/models');
    return served.models.some(({ id, isForEmbeddings }) => id === 'vectors' && isForEmbeddings) || undefined;
  });
  const { id: documentId } = await bring(visitor, 'chronicle.txt');
  const { id: ofSpace } = await bring(visitor, 'annals.txt', projectId);
  const isEmbedded = (embeddedBy: string | undefined) => embeddedBy?.startsWith('vectors ') || undefined;
  await waitUntil('its passages have vectors', async () => {
    const { embeddedBy } = await visitor.ok('GET /console/documents/:documentId', { documentId });
    return isEmbedded(embeddedBy);
  });
  await waitUntil('those of the space too', async () => {
    const { documents } = await visitor.ok('GET /console/spaces/:projectId', { projectId });
    return isEmbedded(documents[0]?.embeddedBy);
  });

  for (const [id, place] of [
    [documentId, { documents: [documentId] }],
    [ofSpace, { projectId }],
  ] as const) {
    // No word of the question stands in the document. On a slow machine its vector may come too late.
    const meant = await waitUntil('a question is compared with the passages', async () => {
      const context = await ask(visitor, 'Where is the car?', place);
      if (context.byMeaning === 'searched') return context;
      await delay(1000);
      return undefined;
    });
    const hit = meant.sources.find(({ page }) => page === 31);
    assert.deepEqual([hit?.documentId, hit?.start, hit?.length], [id, 0, pages[30]?.length]);
    assert.ok(
      meant.sources.some(({ page }) => page === 1),
      'its beginning is there as well',
    );
  }
  const embedded = engine.requests.filter(({ url }) => url.endsWith('/embeddings'));
  const texts = embedded.flatMap(({ body }) => (JSON.parse(String(body)) as { input: string[] }).input);
  assert.ok(texts.includes('query: Where is the car?'));
  assert.ok(texts.includes(`passage: ${pages[30]}`), 'each kind of text as the model was taught to read it');
  await visitor.refused('POST /console/generations', 400, 'invalid_parameter', {
    body: { ...questionOf('Are you there?', { documents: [documentId] }), model: 'vectors' },
  });
  const rows = await waitUntil('what was used is in the books', () => {
    const own = gateway.usageRecords().filter(({ endpoint }) => endpoint === 'embeddings');
    return own.length >= 4 ? own : undefined;
  });
  for (const { door, model, caller_kind: kind, ending, input_tokens: tokens } of rows)
    assert.deepEqual(
      [door, model, kind, ending, tokens > 0],
      ['chat', 'vectors', 'person', 'completed', true],
    );

  // Without the engine the words are searched, and the answer says so.
  await engine.refuseConnections();
  const spoken = await ask(visitor, 'Whose abbot?', { documents: [documentId] });
  assert.equal(spoken.byMeaning, 'failed');
  assert.ok(spoken.sources.some(({ page }) => page === 31));
}

async function bring(visitor: Visitor, name: string, projectId?: string) {
  const { id: documentId } = await visitor.ok('POST /console/documents', {
    body: {
      name,
      kind: 'text',
      mediaType: 'text/plain',
      bytes: 0,
      ...(projectId !== undefined && { projectId }),
    },
  });
  await visitor.ok('POST /console/documents/:documentId/pages', {
    documentId,
    body: { pages: pages.map((text, index) => ({ number: index + 1, text })) },
  });
  return await visitor.ok('POST /console/documents/:documentId/complete', {
    documentId,
    body: { pageCount: pages.length },
  });
}

interface Place {
  readonly documents?: readonly string[];
  readonly projectId?: string;
}

async function ask(visitor: Visitor, content: string, place: Place) {
  const { messages } = await visitor.ok('POST /console/generations', {
    body: questionOf(content, place),
  });
  const context = messages.at(-1)?.context;
  assert.ok(context !== null && context !== undefined);
  return context;
}

function questionOf(content: string, { documents = [], ...place }: Place) {
  return {
    chatId: null,
    parentId: null,
    newMessages: [{ role: 'user' as const, content, documents }],
    ...place,
    model: 'beta-4-scout',
    requestKey: mark(),
  };
}
