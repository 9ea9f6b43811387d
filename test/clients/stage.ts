import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { judgeExchange } from '#harness/answer-judge';
import { startGateway } from '#harness/gateway';
import type { Gateway } from '#harness/gateway';
import { startWitness } from '#harness/witness';
import type { Witness } from '#harness/witness';
import { waitUntil } from '#harness/wait-until';
import { endless } from './questions.ts';

/** The program as it comes, with the model inside, behind a witness that sees every byte of every client. */
export interface Stage {
  readonly gateway: Gateway;
  readonly witness: Witness;
  /** Where clients call; without a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** Both ways to a model, as a client library wants to know them. */
  doors(model: ModelId): readonly Door[];
}

export interface Door {
  readonly name: 'proxy' | 'direct';
  readonly baseURL: string;
  readonly apiKey: string;
}

export type ModelId = keyof typeof paths;

const paths = {
  'alpha-R1': 'engine-b',
  'beta-4-scout': 'beta-4-scout',
  'gamma-oss-120b': 'gamma-oss-120b',
} as const;

/** For one test file; the last test of the file is `testEveryAnswer`. */
export async function openStage(settings: object = {}): Promise<Stage> {
  const gateway = await startGateway({ settings: { listen: '127.0.0.1:0', ...settings } });
  const witness = await startWitness(gateway.url);
  after(async () => {
    await witness.stop();
    await gateway.stop();
  });
  const { secret } = await gateway.createKey();
  return {
    gateway,
    witness,
    url: witness.url,
    key: secret,
    doors: (model) => [
      { name: 'proxy', baseURL: `${witness.url}/api/`, apiKey: secret },
      { name: 'direct', baseURL: `${witness.url}/${paths[model]}/v1/`, apiKey: 'any text' },
    ],
  };
}

export function testEveryAnswer({ witness }: Pick<Stage, 'witness'>): void {
  test("every answer on the wire has OpenAI's shape", () => {
    const judgements = witness.exchanges().map(judgeExchange);
    assert.ok(judgements.length > 0, 'the witness has seen nothing');
    assert.deepEqual(
      judgements.filter(({ faults }) => faults.length > 0),
      [],
    );
  });
}

/** Runs what makes one request that its caller gives up, and waits until the books say so. */
export async function leavesEarly(
  { gateway }: Pick<Stage, 'gateway'>,
  act: () => Promise<unknown>,
): Promise<void> {
  const left = () => gateway.usageRecords().filter(({ ending }) => ending === 'caller-left');
  const before = left().length;
  await act();
  await waitUntil('the books know that the caller left', () => left().length === before + 1);
  assert.ok(left().at(-1)!.output_tokens < endless.max_tokens, 'the answer was made to its end');
}
