import type { EngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import { ask, type Reply } from './ask.ts';
import { type Finding, ok, type Patient, problem } from './finding.ts';

/** Asks an engine as the service would: is the model there, does it generate, does it take tools? */
export async function askHttpEngine(
  patient: Patient,
  engine: EngineDefinition,
  models: readonly ModelDefinition[],
): Promise<Finding[]> {
  const about = `engine ${engine.name}`;
  const where = engine.socketPath ?? engine.url;
  try {
    const list = await call(engine, 'models');
    if (list.skewMs !== undefined) patient.timesHeard.push({ from: about, skewMs: list.skewMs });
    if (list.status === 401 || list.status === 403) return [wrongCredential(about, engine)];
    const offered = modelNames(list.json());
    const findings: Finding[] = [];
    for (const { model, upstream } of upstreamModels(engine, models)) {
      findings.push(...(await tryModel(engine, model, upstream, offered)));
    }
    return findings;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [
      problem(
        about,
        `${where}: ${reason}.`,
        'Start the engine, or correct its url. Without another engine its models answer 503.',
      ),
    ];
  }
}

function upstreamModels(engine: EngineDefinition, models: readonly ModelDefinition[]) {
  return models.flatMap((model) => {
    const replica = model.replicas.find(({ engineName }) => engineName === engine.name);
    return replica === undefined ? [] : [{ model, upstream: replica.upstreamModel }];
  });
}

async function tryModel(
  engine: EngineDefinition,
  model: ModelDefinition,
  upstream: string,
  offered: readonly string[] | undefined,
): Promise<Finding[]> {
  const about = `engine ${engine.name}`;
  if (offered !== undefined && !offered.includes(upstream)) {
    return [
      problem(
        about,
        `It does not serve ${upstream} (for ${model.id}) but ${offered.join(', ') || 'nothing'}.`,
        `Start it with ${servedNameFlag(engine)} ${upstream}, or name the engine's own name: engines: [{ engine: ${engine.name}, model: ${offered[0] ?? 'NAME'} }].`,
      ),
    ];
  }
  const reply = await call(engine, 'chat/completions', smallChat(upstream));
  if (reply.status === 401 || reply.status === 403) return [wrongCredential(about, engine)];
  if (reply.status !== 200) {
    return [
      problem(
        about,
        `A chat with ${upstream} was answered ${reply.status}: ${messageOf(reply)}`,
        'Look into the log of the engine.',
      ),
    ];
  }
  const findings = [
    ok(
      about,
      `${upstream} generated for ${model.id} in ${Math.round(reply.tookMs)} ms.`,
      cacheAdvice(engine, reply),
    ),
  ];
  if (model.supportsTools) findings.push(...(await tryTools(engine, model, upstream)));
  return findings;
}

/** Engines take tools only with a parser, and say so at the first request that has some. */
async function tryTools(
  engine: EngineDefinition,
  model: ModelDefinition,
  upstream: string,
): Promise<Finding[]> {
  const reply = await call(engine, 'chat/completions', { ...smallChat(upstream), tools: [noTool] });
  if (reply.status === 200) return [];
  return [
    problem(
      `engine ${engine.name}`,
      `${model.id} has tools: true, but a request with tools was answered ${reply.status}: ${messageOf(reply)}`,
      engine.kind === 'vllm'
        ? 'Start vLLM with --enable-auto-tool-choice --tool-call-parser NAME, or set tools: false.'
        : 'Give the engine its tool parser, or set tools: false.',
    ),
  ];
}

const noTool = {
  type: 'function',
  function: { name: 'nothing', description: 'Does nothing.', parameters: { type: 'object', properties: {} } },
};

function smallChat(model: string) {
  return { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1, temperature: 0 };
}

function call(engine: EngineDefinition, endpoint: string, body?: object): Promise<Reply> {
  return ask({
    url: `${engine.url.replace(/\/+$/, '')}/v1/${endpoint}`,
    socketPath: engine.socketPath,
    limitMs: 60_000,
    headers: {
      ...(engine.credential !== undefined && { authorization: `Bearer ${engine.credential}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
}

function wrongCredential(about: string, engine: EngineDefinition): Finding {
  return problem(
    about,
    engine.credential === undefined
      ? 'It wants a key, and none is set.'
      : 'It does not accept the credential in the settings.',
    'Set credential or credentialFile of this engine to what it was started with (--api-key).',
  );
}

function modelNames(list: unknown): string[] | undefined {
  const { data } = (list ?? {}) as { data?: unknown };
  return Array.isArray(data) ? data.map((entry: { id?: unknown }) => String(entry.id)) : undefined;
}

function servedNameFlag(engine: EngineDefinition): string {
  return engine.kind === 'llama-server' ? '--alias' : '--served-model-name';
}

/** Engines count cached tokens only when told to. */
function cacheAdvice(engine: EngineDefinition, reply: Reply): string | undefined {
  const { usage } = (reply.json() ?? {}) as { usage?: { prompt_tokens_details?: unknown } };
  if (usage?.prompt_tokens_details !== undefined && usage.prompt_tokens_details !== null) return undefined;
  if (engine.kind === 'vllm')
    return 'To count cached tokens too, start vLLM with --enable-prompt-tokens-details.';
  if (engine.kind === 'sglang') return 'To count cached tokens too, start SGLang with --enable-cache-report.';
  return undefined;
}

function messageOf(reply: Reply): string {
  const parsed = (reply.json() ?? {}) as { error?: { message?: unknown }; message?: unknown };
  const message = parsed.error?.message ?? parsed.message ?? reply.text;
  return (typeof message === 'string' ? message : reply.text).slice(0, 300);
}
