import { enableCompileCache } from 'node:module';

/** Every test file is a process of its own and loads much of the program: what one has compiled the next one finds. */
enableCompileCache(new URL('../../node_modules/.cache/compiled', import.meta.url).pathname);

/** It is ended as soon as its tests are done, and what then still waits to be written would be lost to the report. */
const { _handle: handle } = process.stdout as { _handle?: { setBlocking?(isBlocking: boolean): void } };
handle?.setBlocking?.(true);
