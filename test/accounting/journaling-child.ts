import { createAccounting } from '#accounting';
import { openStorage } from '#storage';
import { plainAccounting, sampleOpening, sampleRecord } from './sample-usage.ts';
import { silentLogger } from '#vocabulary/logger';

/**
 * Journals until it is killed. Says on standard output what is safe: a line is printed only after everything
 * it names was flushed. Requests named `o…` are never settled.
 */
const [dataDir = '', name = ''] = process.argv.slice(2);
const storage = openStorage({ dataDir, logger: silentLogger });
const accounting = createAccounting({
  ...plainAccounting,
  dataDir,
  applier: storage.usageApplier,
  logger: silentLogger,
});

for (let round = 0; ; round += 1) {
  const settled = [];
  const left = [];
  for (let request = 0; request < 20; request += 1) {
    const id = `s-${name}-${round}-${request}`;
    void accounting.open(sampleOpening(id));
    // Some openings reach the disk by themselves, others are settled before.
    if (request % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 8));
    if (request % 3 === 0) void accounting.open(sampleOpening(`o-${name}-${round}-${request}`));
    void accounting.settle(sampleRecord(id));
    settled.push(id);
    if (request % 3 === 0) left.push(`o-${name}-${round}-${request}`);
  }
  if (round % 2 === 0) await accounting.flush();
  if (round % 2 === 0) process.stdout.write(`${JSON.stringify({ settled, left })}\n`);
}
