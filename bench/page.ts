/**
 * The page in a real Chromium, before the real program and an engine that plays its part: what a long answer costs
 * the main thread while it is written, how a chat of a thousand messages scrolls, and how much script the first page
 * is. `npm run bench:page` prints them. Time of the thread is its own, however busy the machine is; frames are not.
 */
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { CDPSession, Page } from 'playwright-core';
import { openHouse } from '../test/web/house.ts';
import { setScene } from '../test/web/scene.ts';

const messageCount = 1000;
const scrolledFrames = 600;
/** A screen in about eight frames, as somebody does who looks for something. */
const scrollUp = `(async () => {
  const scroller = document.querySelector('[data-testid=messages]');
  const frame = () => new Promise(requestAnimationFrame);
  const gaps = [];
  for (let count = 0, last = await frame(); count < ${scrolledFrames}; count += 1) {
    scroller.scrollBy({ top: -100, behavior: 'instant' });
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  return gaps;
})()`;
/** Looks now and then, and at one row only: what looks for it among all of them is work of the thread as well. */
const answerIsWritten = `(async () => {
  const last = () => document.querySelector('[data-testid=messages] ol')?.lastElementChild;
  const isOver = () => last()?.querySelector('[data-state]:not([data-state=running])') != null;
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 100));
})()`;
const lecture =
  'here are **some words** about it.\n\n- one thing\n- another, with `code`\n\n```python\nfor room in range(3):\n    print(room)\n```\n\n$$\\int_0^1 x^2\\,dx$$';

process.stdout.write(
  `${cpus()[0]?.model ?? ''}, ${availableParallelism()} cores, load average before ${load()}\n`,
);
await using house = await openHouse();
await using scene = await setScene(house);
const { page, context } = scene;
const session = await context.newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });

report('script of the first page', `${(firstScriptBytes() / 1000).toFixed(0)} KB compressed`);
await measureAnswer('words', 'sim:frames=9600 sim:every=2');
await measureAnswer('prose, code and formulas in turn', 'sim:rich sim:frames=1200 sim:every=5');
await measureAnswer('one piece of code', 'sim:rich=code sim:frames=800 sim:every=5');
await measureAnswer('one list', 'sim:rich=list sim:frames=800 sim:every=5');
await measureScrolling();
process.stdout.write(`load average afterwards ${load()}\n`);

/** In a chat of its own, and found by their kind: whoever looks for roles and names has the thread work as well. */
async function measureAnswer(kind: string, wishes: string): Promise<void> {
  await page.goto('/');
  const composer = page.locator('textarea');
  await composer.fill(`A long lecture: ${kind}. ${wishes}`);
  const before = await threadTime(session);
  await composer.press('Enter');
  await page.waitForURL('**/chat/*');
  await page.evaluate(answerIsWritten);
  const spent = (await threadTime(session)) - before;
  const written = await page.locator('.prose').last().textContent();
  report(
    `main thread for ${((written ?? '').length / 1000).toFixed(0)} KB of ${kind}`,
    `${spent.toFixed(0)} ms`,
  );
}

async function measureScrolling(): Promise<void> {
  await bringLongChat(page);
  await page.getByTestId('chat-list').getByRole('link', { name: 'A thousand messages' }).click();
  await page.getByText(`Message ${messageCount - 1}:`).waitFor();
  const before = await threadTime(session);
  const gaps = (await page.evaluate(scrollUp)) as number[];
  const spent = await threadTime(session);
  const sorted = gaps.toSorted((one, other) => one - other);
  const perSecond = 1000 / (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  report(
    `${messageCount} messages, ${scrolledFrames} frames of scrolling`,
    `${perSecond.toFixed(0)} frames/s; ms between frames p50 ${at(0.5)}, p95 ${at(0.95)}, max ${at(0.999)}`,
  );
  report('main thread for one of these frames', `${((spent - before) / scrolledFrames).toFixed(1)} ms`);
}

async function bringLongChat(at: Page): Promise<void> {
  const now = Date.now();
  const messages = Array.from({ length: messageCount }, (_, index) => ({
    id: `m${index}`,
    parentId: index === 0 ? null : `m${index - 1}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index}: ${index % 2 === 0 ? 'what about it?' : lecture}`,
    createdAt: now,
  }));
  const chat = {
    title: 'A thousand messages',
    model: 'beta-4-scout',
    createdAt: now,
    updatedAt: now,
    messages,
  };
  await at.goto('/settings/data');
  await at.locator('input[type=file]').setInputFiles({
    name: 'chats.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify({ format: 'gatehouse-chats', version: 1, exportedAt: now, chats: [chat] }),
    ),
  });
  await at.getByText('One chat imported').waitFor();
}

/** Milliseconds that the main thread has worked. */
async function threadTime(at: CDPSession): Promise<number> {
  const { metrics } = await at.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

function firstScriptBytes(): number {
  const dist = new URL('../web/dist/', import.meta.url);
  const scripts = readFileSync(new URL('index.html', dist), 'utf8').matchAll(/(?:src|href)="\/([^"]+\.js)"/g);
  return [...scripts].reduce((sum, [, path]) => sum + statSync(new URL(`${path}.br`, dist)).size, 0);
}

function load(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}

function report(what: string, found: string): void {
  process.stdout.write(`${what}: ${found}\n`);
}
