/**
 * The examples under deploy/ tried with the real programs they are for: systemd's own checker, nginx, and Caddy and
 * promtool where Debian has them; and the doctor on real certificates. `npm run test:operations` runs this file. It
 * installs what is missing when it runs as root on Debian, and ends with 77 after saying what it lacks elsewhere.
 */
import { proveCaddyFiles } from './caddy-files.ts';
import { proveCertificates } from './certificates.ts';
import { proveChart } from './helm-chart.ts';
import { proveNginx } from './nginx.ts';
import { findProgram, missingPrograms } from '#harness/system-programs';
import { proveRules } from './prometheus-rules.ts';
import { proveRestartUnderSystemd } from './systemd-run.ts';
import { proveUnit } from './systemd-unit.ts';
import { proveCluster } from './three-gateways.ts';

const missing = missingPrograms([
  ['systemd-analyze', 'systemd'],
  ['nginx', 'nginx-light'],
  ['openssl', 'openssl'],
]);
if (missing.length > 0) {
  process.stderr.write(
    `The tests of deploy/ cannot run here. Missing:\n${missing.map((thing) => `  - ${thing}\n`).join('')}`,
  );
  process.exit(77);
}
proveUnit();
proveRestartUnderSystemd();
proveNginx();
proveCluster();
proveCertificates();
whereThere(['caddy', 'caddy'], proveCaddyFiles);
whereThere(['promtool', 'prometheus'], proveRules);
const helm = process.env['GATEHOUSE_HELM'] ?? findProgram('helm');
if (helm !== undefined) proveChart(helm);
else
  process.stderr.write('Not checked here, because helm is missing (GATEHOUSE_HELM names one): the chart\n');

/** Not every Debian has these; what is not checked is said. */
function whereThere(wanted: readonly [string, string], prove: () => void): void {
  const [absent] = missingPrograms([wanted]);
  if (absent === undefined) prove();
  else process.stderr.write(`Not checked here, because it is missing: ${absent}\n`);
}
