/** What stands behind answers: gathered as they pass, signed when somebody asks. */
import { hash } from 'node:crypto';
import type { Admission } from '#admission';
import { readModelTemplate, shardPaths } from '#engine/model-files';
import type { Engines } from '#engines';
import {
  createReceiptReader,
  createReceipts,
  createSigningKey,
  createWeightsFiles,
  type ReadReceipt,
} from '#receipts';
import { serveReceipts } from '../flow/serve-receipts.ts';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { Catalogue } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { EngineIdentity, ReceiptDesk } from '#vocabulary/receipts';
import type { UsageJournal } from '#vocabulary/usage';

export interface ReceiptSide {
  readonly desk: ReceiptDesk;
  readonly read: ReadReceipt;
  /** Undefined when the request asks for something else. */
  serve(admission: Admission, incoming: IncomingRequest): Promise<void> | undefined;
  /** The public key, for whoever wants to check a receipt. */
  answerKeys(exchange: Exchange): void;
  /** Looks at the files of the engines that run from the start. */
  start(): void;
}

export function composeReceipts(parts: {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly journal: Pick<UsageJournal, 'flush'>;
  readonly engines: Pick<Engines, 'identityOf' | 'chosenSeed'>;
  readonly catalogue: () => Catalogue;
  readonly publicUrl: () => string;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): ReceiptSide {
  const { engines, storage, catalogue } = parts;
  const key = createSigningKey(storage.secret);
  const read = createReceiptReader({ ...parts, usage: storage.usage, key });
  const weights = createWeightsFiles({
    ...parts,
    partsOf: shardPaths,
    async templateDigest(modelFile) {
      const template = await readModelTemplate(modelFile);
      return template === undefined ? undefined : hash('sha256', template);
    },
  });
  const engineNamed = (name: string) => catalogue().engines.find((engine) => engine.name === name);

  return {
    desk: createReceipts({
      kindOf: (engineName) => engineNamed(engineName)?.kind,
      identityOf,
      chosenSeed: engines.chosenSeed,
    }),
    read,
    serve: (admission, incoming) => serveReceipts({ admission, readReceipt: read }, incoming),
    answerKeys({ reply, method }) {
      const keys = [{ kid: key.id, use: 'sig', alg: 'EdDSA', ...key.publicKey }];
      const body = Buffer.from(`${JSON.stringify({ keys }, null, 2)}\n`);
      const length = String(body.length);
      reply.begin(200, ['content-type', 'application/json', 'content-length', length, ...forEverybody]);
      reply.end(method === 'HEAD' ? undefined : body);
    },
    start() {
      if (!parts.settings.receipts.keep) return;
      for (const { name, embedded } of catalogue().engines) if (embedded?.start === 'boot') identityOf(name);
    },
  };

  function identityOf(engineName: string): EngineIdentity | undefined {
    const embedded = engineNamed(engineName)?.embedded;
    return embedded === undefined ? engines.identityOf(engineName) : weights.of(embedded.modelFile);
  }
}

const forEverybody = ['access-control-allow-origin', '*', 'cache-control', 'max-age=300'];
