import type { AddressInfo } from 'node:net';
import { createChatTemplate } from '../chat/chat-template.ts';
import { createTokenTable } from '../constraint/token-table.ts';
import { createLineLogger } from '../line-logger.ts';
import { loadModel } from '../native/loaded-model.ts';
import type { LoadedModel } from '../native/loaded-model.ts';
import { createStepLoop } from '../scheduler/step-loop.ts';
import { createEngineServer } from '../wire/engine-server.ts';
import { pocketFile, pocketProfiles } from './pocket-engine.ts';

/** The engine put together by hand, where a test must reach between its parts. */
export interface PocketServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string;
}

export async function startPocketServer(options: {
  /** Instead of the model's own. */
  readonly chatTemplate?: string;
  readonly watch?: (model: LoadedModel) => LoadedModel;
  readonly onBroken?: (cause: Error) => void;
}): Promise<PocketServer> {
  const logger = createLineLogger(process.stderr);
  const loaded = await loadModel({
    modelFile: pocketFile,
    threads: 1,
    slots: 4,
    contextTokens: 1024,
    gpu: 'off',
    logger,
  });
  const model = options.watch?.(loaded) ?? loaded;
  const { tokenizer } = model;
  const tokenTable = createTokenTable(tokenizer.ordinaryBytes());
  const loop = createStepLoop({ model, maxWaiting: 16, logger, onBroken: options.onBroken ?? raise });
  const server = createEngineServer({
    model,
    loop,
    logger,
    profiles: () => pocketProfiles,
    template: createChatTemplate(options.chatTemplate ?? model.chatTemplate, tokenizer),
    tokenTable: () => tokenTable,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await loop.close();
      await model.close();
    },
  };
}

function raise(error: Error): never {
  throw error;
}
