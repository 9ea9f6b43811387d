/**
 * The service among real networks: hosts in namespaces, real SSH, sshuttle, nginx, curl and TLS, the real program
 * with the real model. `npm run test:networks` runs this file, as root on Debian. Ends with 77 where the machine
 * lacks something, after saying what.
 */
import { after } from 'node:test';
import { proveAddressFamilies } from './address-families.ts';
import { proveBooks } from './books.ts';
import { proveCertificateRenewal } from './certificate-renewal.ts';
import { proveDoors } from './doors.ts';
import { proveFrontingProxy } from './fronted.ts';
import { proveHandshakes } from './handshakes.ts';
import { openNeighbourhood } from './neighbourhood.ts';
import { missingPrerequisites } from './prerequisites.ts';
import { proveTunnels } from './tunnelled.ts';

const missing = missingPrerequisites();
if (missing.length > 0) {
  process.stderr.write(
    `The network tests cannot run here. Missing:\n${missing.map((thing) => `  - ${thing}\n`).join('')}`,
  );
  process.exit(77);
}
const neighbourhood = await openNeighbourhood();
after(() => neighbourhood[Symbol.asyncDispose]());
proveDoors(neighbourhood);
proveTunnels(neighbourhood);
proveAddressFamilies(neighbourhood);
proveFrontingProxy(neighbourhood);
proveCertificateRenewal(neighbourhood);
proveBooks(neighbourhood);
proveHandshakes(neighbourhood);
