import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { type Clock, systemClock } from '#vocabulary/clock';
import type { UsageApplier } from '#vocabulary/stores';
import type { UsageOpening, UsageRecord } from '#vocabulary/usage';
import { diskFiles, type JournalFiles } from './journal-files.ts';
import { claimOwnJournal } from './journal-directory.ts';
import { readLine, sealEntries, writeCheckpoint, writeOpening, writeSettlement } from './journal-line.ts';
import { createJournalReader } from './journal-reader.ts';
import type { ReplayReport } from './journal-replay.ts';
import { createJournalWriter } from './journal-writer.ts';
import { readRecord } from './usage-fields.ts';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let roots = 0;
const freshRoot = () => join(scratch, String((roots += 1)));

function openingOf(requestId: string): UsageOpening {
  return {
    requestId,
    startedAt: 1_000,
    door: 'direct',
    caller: { kind: 'network', cidr: '10.0.0.0/8', project: 'physik-ä' },
    address: '10.0.0.1',
    endpoint: 'completions',
    model: 'alpha-R1',
    requestBytes: 40,
    project: 'everyone',
  };
}

function recordOf(requestId: string): UsageRecord {
  return {
    ...openingOf(requestId),
    engine: undefined,
    ending: 'completed',
    status: 200,
    usage: { inputTokens: 1, outputTokens: 2, cachedTokens: 0, reasoningTokens: 0, isEstimated: false },
    waitMs: 0,
    firstByteMs: undefined,
    durationMs: 1,
    cost: 0,
  };
}

/** Books in memory that behave like the database: the first record of a request counts, later ones do not. */
function createBooks() {
  const records = new Map<string, UsageRecord>();
  let failAfter = Infinity;
  const applier: UsageApplier = {
    apply(batch) {
      if (failAfter === 0) throw new Error('database is gone');
      failAfter -= 1;
      for (const record of batch) if (!records.has(record.requestId)) records.set(record.requestId, record);
    },
    close() {},
  };
  return {
    records,
    applier,
    failAfterBatches: (count: number) => {
      failAfter = count;
    },
    endings: () => Object.fromEntries([...records].map(([id, { ending }]) => [id, ending])),
  };
}

/** Both sides of a journal in one thread. */
function keep(
  root: string,
  applier: UsageApplier,
  files: JournalFiles = diskFiles,
  clock: Clock = systemClock,
) {
  const own = claimOwnJournal(root, files);
  const writer = createJournalWriter({ directory: own.path, files, clock });
  const reader = createJournalReader({ root, ownPath: own.path, openApplier: () => applier, files });
  return {
    path: own.path,
    append: (entries: string) => writer.append(entries),
    confirm: () =>
      new Promise<void>((resolve, reject) =>
        writer.confirm((failure) => (failure === undefined ? resolve() : reject(failure))),
      ),
    async applyAll() {
      while (await reader.applyNext());
    },
    replayNext: () => reader.replayNext(),
    async replay(): Promise<ReplayReport | undefined> {
      reader.adopt();
      for (;;) {
        const report = await reader.replayNext();
        if (report !== true) return report;
      }
    },
    async close() {
      writer.close();
      await reader.close();
      if (files.listSegments(own.path).length === 0) own.remove();
      else own.release();
    },
  };
}

/** What a killed process leaves: its directory, without the lock that died with it. */
function leaveBehind(root: string, journal: { path: string }): string {
  const copy = join(root, 'left-behind');
  cpSync(journal.path, copy, { recursive: true });
  return copy;
}

test('a journal cut at any byte gives back every whole line, and nothing twice', async () => {
  const writingRoot = freshRoot();
  const journal = keep(writingRoot, createBooks().applier);
  const entries = [
    writeOpening(openingOf('a')),
    writeSettlement(recordOf('a')),
    writeOpening(openingOf('ü')),
    writeOpening(openingOf('c')),
    writeSettlement(recordOf('c')),
  ];
  for (const entry of entries) journal.append(entry);
  const left = leaveBehind(writingRoot, journal);
  const [segment = ''] = readdirSync(left).filter((name) => name.endsWith('.journal'));
  const whole = readFileSync(join(left, segment));
  const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([index]) => index + 1);
  assert.equal(ends.length, entries.length);

  for (let length = 0; length <= whole.length; length += 1) {
    const root = freshRoot();
    cpSync(left, join(root, 'left-behind'), { recursive: true });
    truncateSync(join(root, 'left-behind', segment), length);
    const books = createBooks();
    const reader = keep(root, books.applier);
    const report = await reader.replay();
    // A line that lacks nothing but its end is whole.
    const lines = ends.filter((end) => end - 1 <= length).length;
    const isTorn = length > (ends[lines - 1] ?? 0);
    const expected: Record<string, string> = {};
    if (lines >= 1) expected['a'] = lines >= 2 ? 'completed' : 'interrupted';
    if (lines >= 3) expected['ü'] = 'interrupted';
    if (lines >= 4) expected['c'] = lines >= 5 ? 'completed' : 'interrupted';
    assert.deepEqual(books.endings(), expected, `cut at ${length}`);
    assert.equal(report?.damagedLines, isTorn ? 1 : 0, `cut at ${length}`);
    assert.equal(await reader.replay(), undefined);
    await reader.close();
    assert.deepEqual(readdirSync(root), ['claim.lock']);
  }
  await journal.close();
});

test('one wrong byte anywhere costs at most the lines it touches', async () => {
  const lines = sealEntries(writeSettlement(recordOf('a')) + writeSettlement(recordOf('b')));
  const bytes = Buffer.from(lines);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (position, change) => {
      const damaged = Buffer.from(bytes);
      damaged[position] = (damaged[position] ?? 0) ^ change;
      const root = freshRoot();
      const empty = keep(root, createBooks().applier);
      const left = leaveBehind(root, empty);
      writeFileSync(join(left, 'usage-00000001.journal'), damaged);
      await empty.close();
      const books = createBooks();
      const reader = keep(root, books.applier);
      await reader.replay();
      for (const record of books.records.values()) assert.deepEqual(record, recordOf(record.requestId));
      const firstLine = bytes.indexOf(10);
      if (position > firstLine) assert.ok(books.records.has('a'));
      if (position < firstLine) assert.ok(books.records.has('b'));
      await reader.close();
    }),
    { numRuns: 150 },
  );
});

test('entries come back as they were written, whatever is in them', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(
      text,
      text,
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      (model, project, ms) => {
        const record: UsageRecord = {
          ...recordOf('id'),
          model,
          caller: { kind: 'network', cidr: '::/0', project },
          durationMs: Math.abs(ms),
          receipt: JSON.stringify({ model, ms }),
        };
        const line = sealEntries(writeSettlement(record)).slice(0, -1);
        const entry = readLine(Buffer.from(line, 'utf8').toString('utf8'));
        assert.ok(entry !== undefined && !line.includes('\n'));
        assert.deepEqual(readRecord(entry.requestId, entry.json), record);
      },
    ),
  );
});

test('a replay that dies at any point and runs again counts everything once', async () => {
  const writingRoot = freshRoot();
  const journal = keep(writingRoot, createBooks().applier);
  for (let request = 0; request < 1_200; request += 1) {
    journal.append(writeOpening(openingOf(`left-${request}`)));
    if (request % 100 === 0) journal.append(writeSettlement(recordOf(`done-${request}`)));
  }
  const left = leaveBehind(writingRoot, journal);
  for (const survived of [0, 1, 2, 3]) {
    const root = freshRoot();
    cpSync(left, join(root, 'left-behind'), { recursive: true });
    const books = createBooks();
    const first = keep(root, books.applier);
    books.failAfterBatches(survived);
    await assert.rejects(first.replay(), /database is gone/);
    // The process is killed here: its lock goes, its files stay.
    await first.close();
    books.failAfterBatches(Infinity);
    const second = keep(root, books.applier);
    await second.replay();
    await second.close();
    assert.equal(books.records.size, 1_212);
    assert.equal(books.records.get('done-300')?.ending, 'completed');
    assert.equal(books.records.get('left-1199')?.ending, 'interrupted');
    assert.equal(books.records.get('left-7')?.usage.inputTokens, 10);
  }
  await journal.close();
});

test('a checkpoint is the last word on a request until it is settled, also when its opening comes again', async () => {
  const root = freshRoot();
  const journal = keep(root, createBooks().applier);
  const soFar = (requestId: string, outputTokens: number): UsageRecord => ({
    ...recordOf(requestId),
    ending: 'interrupted',
    usage: { ...recordOf(requestId).usage, outputTokens, isEstimated: true },
  });
  journal.append(writeOpening(openingOf('a')) + writeOpening(openingOf('b')));
  journal.append(writeCheckpoint(soFar('a', 7)) + writeCheckpoint(soFar('b', 8)));
  journal.append(writeCheckpoint(soFar('a', 70)) + writeOpening(openingOf('a')));
  journal.append(writeSettlement(recordOf('b')));
  leaveBehind(root, journal);
  const books = createBooks();
  const reader = keep(root, books.applier);
  assert.equal((await reader.replay())?.interruptedRequests, 1);
  assert.deepEqual(books.records.get('a'), soFar('a', 70));
  assert.deepEqual(books.records.get('b'), recordOf('b'));
  await reader.close();
  await journal.close();
});

test('a journal of a newer version stays for whoever can read it, and keeps no other one waiting', async () => {
  const root = freshRoot();
  const left = (name: string, entries: string) => {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, 'usage-00000001.journal'), sealEntries(entries));
  };
  const newer = `Snewer [1]~{"of":"another form"}\n`;
  left('a-newer', writeSettlement(recordOf('beside')) + newer.replace('S', 'Z'));
  left('b-newer', newer);
  left('c-ours', writeSettlement(recordOf('ours')));
  const books = createBooks();
  const reader = keep(root, books.applier);
  let failures = 0;
  for (let turn = 0; turn < 3; turn++)
    await reader.replay().catch(() => {
      failures++;
    });
  assert.equal(failures, 2);
  assert.deepEqual(books.endings(), { ours: 'completed' });
  for (let left = 0; left < 2; left++) await assert.rejects(reader.replayNext());
  assert.equal(await reader.replayNext(), undefined, 'nobody waits for what cannot be read here');
  await reader.close();
  assert.deepEqual(
    readdirSync(root).filter((name) => /-(newer|ours)$/.test(name)),
    ['a-newer', 'b-newer'],
  );
});

test('a full disk refuses a batch, half of it is on the disk, and it counts once when space returns', async () => {
  let freeBytes = Infinity;
  const files: JournalFiles = {
    ...diskFiles,
    append(file, bytes) {
      if (bytes.length > freeBytes) {
        diskFiles.append(file, bytes.subarray(0, freeBytes));
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
      diskFiles.append(file, bytes);
    },
  };
  const root = freshRoot();
  const books = createBooks();
  const journal = keep(root, books.applier, files);
  journal.append(writeOpening(openingOf('open')));
  await journal.confirm();
  const batch = writeSettlement(recordOf('first')) + writeSettlement(recordOf('second'));
  freeBytes = 150;
  for (let attempt = 0; attempt < 5; attempt += 1) assert.throws(() => journal.append(batch), /no space/);
  assert.ok(readdirSync(journal.path).filter((name) => name.endsWith('.journal')).length <= 1);
  freeBytes = Infinity;
  journal.append(batch);

  const left = leaveBehind(root, journal);
  await journal.applyAll();
  assert.deepEqual(books.endings(), { first: 'completed', second: 'completed' });
  journal.append(writeSettlement(recordOf('open')));
  await journal.close();
  assert.equal(books.endings()['open'], 'completed');

  const replayed = createBooks();
  assert.ok(readdirSync(left).length > 0);
  const reader = keep(root, replayed.applier);
  await reader.replay();
  assert.deepEqual(replayed.endings(), { first: 'completed', second: 'completed', open: 'interrupted' });
  await reader.close();
});

test('what a failed sync leaves in doubt is written once more, into another file', async () => {
  let isSyncBroken = false;
  const files: JournalFiles = {
    ...diskFiles,
    sync(file, newPath, done) {
      if (isSyncBroken) done(new Error('input/output error'));
      else diskFiles.sync(file, newPath, done);
    },
  };
  const root = freshRoot();
  const journal = keep(root, createBooks().applier, files);
  journal.append(writeSettlement(recordOf('safe')));
  await journal.confirm();
  isSyncBroken = true;
  journal.append(writeSettlement(recordOf('a')));
  await assert.rejects(journal.confirm(), /input\/output/);
  isSyncBroken = false;
  journal.append(writeSettlement(recordOf('b')));
  await journal.confirm();
  const segments = readdirSync(journal.path).filter((name) => name.endsWith('.journal'));
  const [, second = ''] = segments.map((name) => readFileSync(join(journal.path, name), 'utf8'));
  const idsIn = (text: string) => text.split('\n').flatMap((line) => readLine(line)?.requestId ?? []);
  assert.deepEqual(idsIn(second), ['a', 'b']);
  await journal.close();
});

test('a journal that is taken away is noticed, and no new one is begun in its place', async () => {
  const root = freshRoot();
  const journal = keep(root, createBooks().applier);
  journal.append(writeSettlement(recordOf('a')));
  await journal.confirm();
  const aside = `${journal.path}-aside`;
  renameSync(journal.path, aside);
  await assert.rejects(journal.confirm(), /removed or replaced/);
  mkdirSync(journal.path);
  assert.throws(() => journal.append(writeSettlement(recordOf('b'))), /removed or replaced/);
  rmSync(journal.path, { recursive: true });
  renameSync(aside, journal.path);
  journal.append(writeSettlement(recordOf('b')));
  await journal.confirm();
  await journal.close();
});

test('a segment stays until nothing in it is the last word on a running request', async () => {
  let now = 0;
  const books = createBooks();
  const root = freshRoot();
  const journal = keep(root, books.applier, diskFiles, { wallMs: () => now, monotonicMs: () => now });
  const segments = () => readdirSync(journal.path).filter((name) => name.endsWith('.journal'));
  const anHourLater = (entry: string) => {
    now += 3_600_000;
    journal.append(entry);
  };
  journal.append(writeOpening(openingOf('long')));
  anHourLater(writeSettlement(recordOf('short')));
  anHourLater(writeSettlement(recordOf('other')));
  anHourLater(writeSettlement(recordOf('another')));
  await journal.applyAll();
  assert.deepEqual(segments(), ['usage-00000001.journal', 'usage-00000002.journal']);
  anHourLater(writeCheckpoint(recordOf('long')));
  anHourLater(writeSettlement(recordOf('last')));
  await journal.applyAll();
  assert.deepEqual(segments(), ['usage-00000003.journal']);
  journal.append(writeSettlement(recordOf('long')));
  await journal.close();
  assert.deepEqual(readdirSync(root), ['claim.lock']);
  assert.equal(books.records.size, 5);
});
