// Runs at the end of `npm install`. The pinned Node brings the headers for programs in C++, a third of its size.
// Nothing here is compiled against them. Plain JavaScript, because the Node of the machine may be an old one.
import { readFileSync, rmSync } from 'node:fs';

const home = new URL('../', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));
for (const name of Object.keys(optionalDependencies))
  rmSync(new URL(`node_modules/${name}/include`, home), { recursive: true, force: true });
