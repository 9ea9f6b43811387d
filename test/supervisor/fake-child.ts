import { rmSync } from 'node:fs';
import { createServer } from 'node:http';

/** Stands in for the engine program in tests and fails in the way its configuration asks for. */
export type FakeBehaviour =
  | 'serve'
  | 'crash'
  | 'crash-when-ready'
  | 'hang'
  | 'grow'
  | 'freeze'
  | 'ignore-sigterm'
  | 'never-finish'
  | 'babble'
  | 'crash-with-gpu';

interface FakeConfiguration {
  readonly listen: { readonly socketPath: string };
  readonly slots: number;
  readonly threads: number;
  readonly gpu: string;
  readonly behaviour: FakeBehaviour;
}

const configuration = JSON.parse(process.argv[2] ?? '{}') as FakeConfiguration;
const ballast: Buffer[] = [];

process.on('disconnect', () => process.exit(0));
process.on('message', (order: { type: string }) => {
  if (order.type === 'serve') log('info', `serves ${JSON.stringify(order)}`);
  if (order.type === 'finish' && configuration.behaviour !== 'never-finish') process.exit(0);
});
process.on('SIGTERM', () => {
  if (configuration.behaviour !== 'ignore-sigterm') process.exit(0);
});

switch (configuration.behaviour) {
  case 'crash-with-gpu':
    if (configuration.gpu === 'off') serve();
    else {
      log('error', 'the device refuses');
      log('error', 'and so everything else fails');
      process.stderr.write('/lib/engine.so(+0x9cb84)[0x7f93c989cb84]\n', () => process.abort());
    }
    break;
  case 'crash':
    log('error', 'out of luck');
    process.exit(7);
  case 'hang':
    setInterval(() => {}, 1000);
    break;
  case 'babble':
    for (let line = 0; line < 5000; line++) process.stderr.write(`native noise ${line}\n`);
    process.stderr.write('x'.repeat(1_000_000));
    serve();
    break;
  case 'serve':
  case 'crash-when-ready':
  case 'grow':
  case 'freeze':
  case 'ignore-sigterm':
  case 'never-finish':
    serve();
}

function serve(): void {
  rmSync(configuration.listen.socketPath, { force: true });
  createServer((_request, response) => response.end('{}')).listen(configuration.listen.socketPath, () => {
    log('info', 'listening');
    process.send?.({ type: 'nonsense' });
    process.send?.({ type: 'ready', facts: facts() }, afterReady);
  });
}

function afterReady(): void {
  if (configuration.behaviour === 'crash-when-ready') process.exit(3);
  if (configuration.behaviour === 'grow') setInterval(() => ballast.push(Buffer.alloc(20_000_000, 1)), 5);
  // Blocks the loop for good: no answer, no signal handler, no farewell.
  if (configuration.behaviour === 'freeze') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function facts(): object {
  return {
    architecture: 'fake',
    parameters: 1,
    contextTokens: 2048,
    slots: configuration.slots,
    gpu: 'off',
    threads: configuration.threads,
    loadMs: 1,
    warmUpMs: 1,
    memoryBytes: process.memoryUsage.rss(),
  };
}

function log(level: string, msg: string): void {
  process.stderr.write(`${JSON.stringify({ level, msg, time: 1, secretless: true })}\n`);
}
