/**
 * Programs in which people meet the service without writing any code for it, as their makers ship them: R with httr2,
 * aider, Open WebUI. `npm run test:programs` runs this file; words after `--` choose some by name. They get a home of
 * their own and only our address and key, and reach nothing but this machine. Ends with 77 where one cannot be had,
 * after saying why and trying the others.
 */
import { CannotBeHad } from '#harness/python-environment';
import { proveAider } from './aider.ts';
import { proveOpenWebui } from './open-webui.ts';
import { proveR } from './r.ts';

const programs: Readonly<Record<string, () => Promise<void>>> = {
  r: proveR,
  aider: proveAider,
  'open-webui': proveOpenWebui,
};
const chosen = process.argv.slice(2);
for (const [name, prove] of Object.entries(programs)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  await prove().catch((cause: unknown) => {
    if (!(cause instanceof CannotBeHad)) throw cause;
    process.stderr.write(`${name} cannot be tried here: ${cause.message}\n`);
    process.exitCode = 77;
  });
}
