import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from './visitor.ts';

const model = 'beta-4-scout';
const mebibyte = 1024 ** 2;

/** What the gateway may ever take here, its own code, its threads and its caches included. */
const maxResidentBytes = 750 * mebibyte;

async function signIn(url: string, logs: () => string): Promise<Visitor> {
  const token = await waitUntil('the first start prints a link', () => /#link=(\S+)/.exec(logs())?.[1]);
  const visitor = new Visitor(url);
  await visitor.ok('POST /console/sign-in/link', { body: { token } });
  return visitor;
}

/** An archive of about 31 MB: one chat whose messages all hold the same rare word. */
function largeArchive(title: string) {
  const now = Date.now();
  const content = `harbour ${'the quick brown fox. '.repeat(2000)}${'x'.repeat(960_000)}`;
  const messages = Array.from({ length: 31 }, (_, turn) => ({
    id: `m${turn}`,
    parentId: turn === 0 ? null : `m${turn - 1}`,
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content,
    createdAt: now,
  }));
  const chats = [{ title, model, createdAt: now, updatedAt: now, messages }];
  return { format: 'gatehouse-chats', version: 1, exportedAt: now, chats };
}

/** The most that a process ever had in memory. */
function peakResidentBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

test('twelve imports of 31 MB, twelve searches and 120 unread answers do not end the gateway', async (context) => {
  await using service = await startService({ settings: { limits: { storagePerPerson: '1GiB' } } });
  const { gateway } = service;
  const ada = await signIn(gateway.url, () => gateway.logs());
  const chatIds: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const answer = await ada.call('POST /console/chats/import', { body: largeArchive(`Import ${count}`) });
    assert.equal(answer.status, 200, answer.text.slice(0, 300));
    chatIds.push((answer.body as { chats: { id: string }[] }).chats[0]?.id ?? '');
  }
  const afterImports = peakResidentBytes(gateway.pid);
  const { storage } = await ada.ok('GET /console/session');
  assert.ok(storage !== null && storage.usedBytes > 12 * 29 * mebibyte);

  const searches = await Promise.all(
    Array.from({ length: 12 }, () =>
      ada.ok('GET /console/chats/search', { query: { q: 'harbour', limit: 200 } }),
    ),
  );
  assert.ok(searches.every(({ results }) => results.length === 12));
  const afterSearches = peakResidentBytes(gateway.pid);

  const readers = Array.from({ length: 120 }, () =>
    request(`${gateway.url}/console/chats/${chatIds[0]}`, {
      headers: { cookie: cookieOf(ada) },
      agent: false,
    }),
  );
  using _readers = leaving(readers);
  let answered = 0;
  let refused = 0;
  for (const reader of readers) {
    // The answer is never read.
    reader
      .on('response', ({ statusCode }) => {
        answered += 1;
        if (statusCode === 429) refused += 1;
      })
      .on('error', () => {});
    reader.end();
  }
  await waitUntil('the first of them have their answers', () => answered > 0);
  // How many are refused depends on what the system takes off the gateway's hands; the others come in this time.
  await pause(5000);
  const message = { parentId: null, role: 'user', content: 'still there?' } as const;
  await ada.ok('POST /console/chats/:chatId/messages', { chatId: chatIds[1] ?? '', body: message });

  const afterReaders = peakResidentBytes(gateway.pid);
  const inMebibytes = [afterImports, afterSearches, afterReaders].map((bytes) =>
    Math.round(bytes / mebibyte),
  );
  context.diagnostic(`of 120 readers ${answered} got an answer and ${refused} of them a refusal`);
  context.diagnostic(`peak MiB after imports, searches, readers: ${inMebibytes.join(', ')}`);
  assert.ok(afterReaders < maxResidentBytes, `${inMebibytes.join(', ')} MiB`);
});

/** Nobody who reads nothing holds up the end of the test. */
function leaving(readers: readonly ClientRequest[]): Disposable {
  return {
    [Symbol.dispose]() {
      for (const reader of readers) reader.destroy();
    },
  };
}

function cookieOf(visitor: Visitor): string {
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
