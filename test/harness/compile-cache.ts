import { enableCompileCache } from 'node:module';

/** Every test file is a process of its own and loads much of the program: what one has compiled the next one finds. */
enableCompileCache(new URL('../../node_modules/.cache/compiled', import.meta.url).pathname);
