import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { diskFiles, type JournalFiles } from './journal-files.ts';
import { readLine } from './journal-line.ts';
import { createJournalPen, lendPen, resetPen, takePenBack } from './journal-pen.ts';
import { createJournalWriter } from './journal-writer.ts';
import { createQuickWriter } from './quick-writer.ts';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-quick-writer-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Owner and borrower of one pen, in one thread and on a clock of their own. */
function setUp(files: JournalFiles, time = { ms: 0 }) {
  const directory = mkdtempSync(join(scratch, 'journal-'));
  const clock = { wallMs: () => time.ms, monotonicMs: () => time.ms };
  const writer = createJournalWriter({ directory, files, clock });
  const pen = createJournalPen();
  let begun = 0;
  const quick = createQuickWriter({ directory, pen, files, clock, begun: () => void begun++ });
  writer.append('Sowner []\n');
  return {
    writer,
    pen,
    quick,
    begun: () => begun,
    lend: () => lendPen(pen, writer.activeNumber ?? 0),
    takeBack() {
      const { bytes, isSpoilt } = takePenBack(pen);
      if (bytes !== undefined) writer.adopt(bytes);
      if (isSpoilt) writer.spoil();
      return isSpoilt;
    },
    confirm: () => new Promise<Error | undefined>((resolve) => writer.confirm(resolve)),
    segments: () =>
      readdirSync(directory).map((name) =>
        readFileSync(join(directory, name), 'utf8')
          .split('\n')
          .flatMap((line) => readLine(line)?.requestId ?? []),
      ),
    close() {
      quick.close();
      writer.close();
    },
  };
}

test('whoever has not got the pen writes nothing, and what was written with it is there at once', () => {
  const { quick, lend, takeBack, pen, segments, begun, close } = setUp(diskFiles);
  assert.equal(quick.write('Searly []\n'), false);
  lend();
  assert.equal(quick.write('Sé []\nSb []\n'), true);
  assert.equal(quick.write('Sc []\n'), true);
  assert.deepEqual(segments(), [['owner', 'é', 'b', 'c']]);
  assert.equal(begun(), 1, 'the owner is told once of what is on the pad');
  takeBack();
  assert.equal(quick.write('Slate []\n'), false);
  lend();
  assert.equal(quick.write('Sd []\n'), true);
  assert.equal(begun(), 2);
  resetPen(pen);
  assert.equal(quick.write('Sdead []\n'), false, 'the owner has died');
  assert.deepEqual(segments(), [['owner', 'é', 'b', 'c', 'd']]);
  close();
});

test('more than the pad holds is left to the owner', () => {
  const { quick, lend, segments, close } = setUp(diskFiles);
  lend();
  assert.equal(quick.write(`Slong "${'x'.repeat(400_000)}"\n`), false);
  assert.equal(quick.write('Sshort []\n'), true);
  assert.deepEqual(segments(), [['owner', 'short']]);
  close();
});

test('what a failed sync leaves in doubt is written once more, also what the borrower wrote', async () => {
  let isSyncBroken = false;
  const { quick, lend, takeBack, writer, confirm, segments, close } = setUp({
    ...diskFiles,
    sync(file, newPath, done) {
      if (isSyncBroken) done(new Error('input/output error'));
      else diskFiles.sync(file, newPath, done);
    },
  });
  assert.equal(await confirm(), undefined);
  lend();
  assert.equal(quick.write('Sa []\n'), true);
  takeBack();
  isSyncBroken = true;
  assert.match(String(await confirm()), /input\/output/);
  assert.equal(writer.activeNumber, undefined);
  isSyncBroken = false;
  writer.append('Sb []\n');
  lend();
  assert.equal(quick.write('Sc []\n'), true);
  assert.deepEqual(segments(), [
    ['owner', 'a'],
    ['a', 'b', 'c'],
  ]);
  close();
});

test('a disk that takes half of a line gets the whole of it in another file', () => {
  let isFull = false;
  const { quick, lend, takeBack, writer, segments, close } = setUp({
    ...diskFiles,
    append(file, bytes) {
      diskFiles.append(file, isFull ? bytes.subarray(0, bytes.length / 2) : bytes);
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
  });
  lend();
  assert.equal(quick.write('Sa []\n'), true);
  isFull = true;
  assert.equal(quick.write('Sb []\n'), false);
  assert.equal(quick.write('Sb []\n'), false, 'nobody writes behind half a line');
  assert.equal(takeBack(), true);
  isFull = false;
  writer.append('Sb []\n');
  assert.deepEqual(segments(), [
    ['owner', 'a'],
    ['owner', 'a', 'b'],
  ]);
  close();
});

test('a disk that holds up the event loop is left to the owner for a while', () => {
  const slow = { ms: 0 };
  const time = { ms: 0 };
  const files: JournalFiles = {
    ...diskFiles,
    append(file, bytes) {
      time.ms += slow.ms;
      diskFiles.append(file, bytes);
    },
  };
  const { quick, lend, close } = setUp(files, time);
  lend();
  slow.ms = 1;
  for (let write = 0; write < 50; write += 1) {
    assert.equal(quick.write('Soften []\n'), true);
    time.ms += 20;
  }
  slow.ms = 30;
  assert.equal(quick.write('Sslow []\n'), true);
  slow.ms = 0;
  assert.equal(quick.write('Safter []\n'), false);
  time.ms += 10_000;
  assert.equal(quick.write('Sagain []\n'), true);
  // Not one of them is long, but together they are.
  slow.ms = 5;
  const taken = Array.from({ length: 10 }, () => quick.write('Ssteady []\n'));
  assert.equal(taken.at(-1), false);
  close();
});
