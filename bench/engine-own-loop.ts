import { getLlama } from 'node-llama-cpp';
import type { Token } from 'node-llama-cpp';

/**
 * node-llama-cpp's own loop, without any HTTP: as many `evaluate` streams as clients. Started by `engine.ts`
 * with its setup as JSON; answers every message `{clients, requestsPerClient, tokensPerRequest}` with the
 * tokens per second it reached.
 */
const setup = JSON.parse(process.argv[2] ?? '{}') as {
  modelFile: string;
  threads: number;
  slots: number;
  contextTokens: number;
  gpu: 'off' | 'cuda' | 'vulkan' | 'metal';
};

const llama = await getLlama({
  gpu: setup.gpu === 'off' ? false : setup.gpu,
  build: 'never',
  maxThreads: setup.threads,
});
const model = await llama.loadModel({ modelPath: setup.modelFile });
const context = await model.createContext({
  sequences: setup.slots,
  contextSize: setup.contextTokens,
  threads: setup.threads,
});
const sequences = Array.from({ length: setup.slots }, () => context.getSequence());
let asked = 0;

process.on('message', (load: { clients: number; requestsPerClient: number; tokensPerRequest: number }) => {
  void measure(load).then((tokensPerSecond) => process.send?.({ tokensPerSecond }));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

async function measure(load: { clients: number; requestsPerClient: number; tokensPerRequest: number }) {
  const startedMs = performance.now();
  await Promise.all(
    sequences.slice(0, load.clients).map(async (sequence) => {
      for (let turn = 0; turn < load.requestsPerClient; turn += 1) {
        await sequence.clearHistory();
        asked += 1;
        const prompt: Token[] = model.tokenize(
          `${asked} days after the storm, the people of the harbour met in the old hall and talked about the harbour, the weather, the bread and the long road home. One of them said:`,
        );
        let written = 0;
        for await (const _token of sequence.evaluate(prompt, { temperature: 0, yieldEogToken: true })) {
          written += 1;
          if (written === load.tokensPerRequest) break;
        }
      }
    }),
  );
  const tokens = load.clients * load.requestsPerClient * load.tokensPerRequest;
  return tokens / ((performance.now() - startedMs) / 1000);
}
