import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { judgeExchange } from '#harness/answer-judge';
import { proveAnswers } from './cases/answers.ts';
import { proveContinued } from './cases/continued.ts';
import { proveCounters } from './cases/counters.ts';
import { proveDialects } from './cases/dialects.ts';
import { proveEndings } from './cases/endings.ts';
import { proveFurtherEndpoints } from './cases/further-endpoints.ts';
import { engineKinds } from './kinds/engine-kinds.ts';
import { CannotBeHad } from '#harness/python-environment';
import type { RealEngine } from './real-engine.ts';
import { recordEngine } from './record.ts';
import { type EngineStage, openEngineStage } from './stage.ts';

const [kind = '', ...flags] = process.argv.slice(2);
const engine = await engineKinds[kind]?.().catch((cause: unknown) => {
  if (!(cause instanceof CannotBeHad)) throw cause;
  process.stderr.write(`${kind} cannot be had here: ${cause.message}\n`);
  process.exit(77);
});
if (engine === undefined)
  throw new Error(`There is no engine \`${kind}\`; try ${Object.keys(engineKinds).join(', ')}`);
after(() => engine[Symbol.asyncDispose]());
const stage = await prepare(engine).catch(async (cause: unknown) => {
  await engine[Symbol.asyncDispose]();
  throw cause;
});
after(() => stage[Symbol.asyncDispose]());
proveAnswers(stage);
proveFurtherEndpoints(stage);
proveDialects(stage);
proveCounters(stage);
proveContinued(stage);
proveEndings(stage);

test(`${kind}: every answer on the wire has OpenAI's shape`, () => {
  const ofOpenai = stage.witness.exchanges().filter(({ request }) => /completions /.test(request.startLine));
  const faulty = ofOpenai.map(judgeExchange).filter(({ faults }) => faults.length > 0);
  assert.ok(ofOpenai.length > 0);
  assert.deepEqual(faulty, []);
});

async function prepare(engine: RealEngine): Promise<EngineStage> {
  if (flags.includes('--record')) await recordEngine(engine);
  return await openEngineStage(engine);
}
