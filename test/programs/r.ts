import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { CannotBeHad } from '#harness/python-environment';
import { missingPrograms, systemProgram } from '#harness/system-programs';
import { runAlone } from './run-alone.ts';

const folder = import.meta.dirname;
const packages = ['httr2', 'jsonlite'];

/** R as Debian ships it, at both doors before the model inside. */
export async function proveR(): Promise<void> {
  // Which bring R itself.
  const missing = missingPrograms(packages.map((name) => ['Rscript', `r-cran-${name}`]));
  if (missing.length > 0) throw new CannotBeHad(`this machine has no ${missing.join(', ')}`);
  const script = systemProgram('Rscript');
  for (const name of packages) {
    const asked = await runAlone(script, ['-e', `packageVersion("${name}")`], { home: folder, folder });
    if (asked.status !== 0) throw new CannotBeHad(`R has no ${name} (Debian package r-cran-${name})`);
  }
  const gateway = await startGateway({ settings: { listen: '127.0.0.1:0' } });
  after(() => gateway.stop());
  const { secret } = await gateway.createKey();
  for (const [door, base, key] of [
    ['proxy', `${gateway.url}/api/`, secret],
    ['direct', `${gateway.url}/{path}/v1/`, 'any text'],
  ] as const)
    test(`R with httr2 at the ${door} door`, async () => {
      const env = { GATEHOUSE_DOOR: door, GATEHOUSE_BASE: base, GATEHOUSE_KEY: key };
      const { status, said } = await runAlone(script, ['ask.R'], { home: gateway.dataDir, folder, env });
      assert.equal(status, 0, said);
    });
}
