import { startGateway, type Gateway } from '#harness/gateway';
import { openStream, send, type Received, type ReceivedStream, type Sent } from '#harness/http-client';
import { startWitness, type Witness } from '#harness/witness';
import type { RealEngine } from './real-engine.ts';

/** A real engine behind the running program, and a witness who sees every byte that a caller sees. */
export interface EngineStage extends AsyncDisposable {
  readonly engine: RealEngine;
  readonly gateway: Gateway;
  readonly witness: Witness;
  readonly doors: readonly StageDoor[];
  readonly secret: string;
}

export interface StageDoor {
  readonly name: 'proxy' | 'direct';
  /** Of the model `plain`, as OpenAI's package wants it. */
  readonly base: string;
  post(model: StagedModel, body: object, endpoint?: string): Promise<Received>;
  stream(model: StagedModel, body: object, endpoint?: string): Promise<ReceivedStream>;
  /** The same request, for tests that leave before any answer came. */
  call(model: StagedModel, body: object): { readonly url: string; readonly sent: Sent };
}

/** `same` is called alike on both sides, so that most of its bytes pass untouched. */
export type StagedModel = 'plain' | 'same' | 'fields' | 'tags';

export async function openEngineStage(engine: RealEngine): Promise<EngineStage> {
  const served = { engine: 'real', model: engine.model };
  const thinks = { ...served, reasoning: 'fields' };
  const ids: Record<StagedModel, string> = {
    plain: 'Plain',
    same: engine.model,
    fields: 'Fields',
    tags: 'Tags',
  };
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines: [{ name: 'real', kind: engine.kind, url: engine.url }],
      models: [
        { id: ids.plain, path: 'plain', engines: [served], tools: true },
        { id: ids.same, path: 'same', engines: ['real'], tools: true },
        { id: ids.fields, path: 'fields', engines: [thinks], tools: true, reasoning: 'separate' },
        { id: ids.tags, path: 'tags', engines: [thinks], tools: true, reasoning: 'think-tags' },
      ],
    },
  });
  const witness = await startWitness(gateway.url);
  const { secret } = await gateway.createKey();
  const doors = (['proxy', 'direct'] as const).map((name): StageDoor => {
    const call = (model: StagedModel, body: object, endpoint = 'chat/completions') => ({
      url: name === 'proxy' ? `${witness.url}/api/${endpoint}` : `${witness.url}/${model}/v1/${endpoint}`,
      sent: { headers: { authorization: `bearer ${secret}` }, body: { model: ids[model], ...body } },
    });
    return {
      name,
      base: `${witness.url}/${name === 'proxy' ? 'api' : 'plain'}/v1`,
      call,
      post: (model, body, endpoint) => {
        const { url, sent } = call(model, body, endpoint);
        return send(url, sent);
      },
      stream: (model, body, endpoint) => {
        const { url, sent } = call(model, { ...body, stream: true }, endpoint);
        return openStream(url, sent);
      },
    };
  });
  return {
    engine,
    gateway,
    witness,
    doors,
    secret,
    [Symbol.asyncDispose]: async () => {
      await witness.stop();
      await gateway.stop();
    },
  };
}

/** Straight to an answer: small models lose themselves in thought. */
export const answersAtOnce = { temperature: 0, chat_template_kwargs: { enable_thinking: false } };

export function ask(content: string): { role: 'user'; content: string }[] {
  return [{ role: 'user', content }];
}
