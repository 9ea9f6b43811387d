import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '#engine';
import { checkModelFile, inspectModelFile } from '#engine/model-files';
import { createEngineSupervisor } from '#supervisor';
import type { EngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import { systemClock } from '#vocabulary/clock';
import { silentLogger } from '#vocabulary/logger';
import { ask } from './ask.ts';
import { type Finding, ok, type Patient, problem, warning } from './finding.ts';
import type { RunningService } from './find-service.ts';

const loadLimitMs = 180_000;

/** The running service is asked at its door; without one the model is loaded just for this. */
export async function askEmbeddedEngine(
  patient: Patient,
  engine: EngineDefinition,
  models: readonly ModelDefinition[],
): Promise<Finding> {
  const about = `engine ${engine.name}`;
  const { service } = patient;
  try {
    return service?.isOurs === true
      ? await askAtTheDoor(service, engine, models[0] as ModelDefinition)
      : await loadAndAsk(engine, models);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return problem(
      about,
      `It does not generate: ${reason}`,
      'See the lines about its model file and memory, then the log.',
    );
  }
}

async function askAtTheDoor(
  service: RunningService,
  engine: EngineDefinition,
  model: ModelDefinition,
): Promise<Finding> {
  const about = `engine ${engine.name}`;
  const reply = await ask({
    url: `${service.url}/${model.path}/v1/chat/completions`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(smallChat(model.id)),
    acceptsAnyCertificate: true,
    limitMs: loadLimitMs,
  });
  if (reply.status === 200)
    return ok(
      about,
      `The service answered as ${model.id} through the direct door in ${Math.round(reply.tookMs)} ms.`,
    );
  if (reply.status === 401) return believeTheService(service, about, engine);
  if (reply.status === 429)
    return warning(
      about,
      'Its line is full, so it could not be asked.',
      'Raise maxConcurrent, add an engine, or wait.',
    );
  return problem(
    about,
    `A chat with ${model.id} was answered ${reply.status}: ${reply.text.slice(0, 300)}`,
    'The log of the service says more.',
  );
}

/** Loopback may be missing from the permitted networks. The service itself asks its engines all the time. */
function believeTheService(service: RunningService, about: string, engine: EngineDefinition): Finding {
  const healthy = service.metrics?.labelled('gatehouse_engine_healthy', 'engine', engine.name);
  if (healthy === 1) return ok(about, 'The service says that it generates.');
  if (healthy === 0) return problem(about, 'The service has taken it out of use.', 'The log says why.');
  return warning(
    about,
    'Could not be asked: loopback is not among directNetworks.',
    'Look at the status page, or at gatehouse_engine_healthy.',
  );
}

async function loadAndAsk(engine: EngineDefinition, models: readonly ModelDefinition[]): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-doctor-'));
  const supervisor = createEngineSupervisor({
    definitions: [engine],
    models,
    dataDir: folder,
    startEngine,
    checkModelFile,
    estimateMemory: inspectModelFile,
    logger: silentLogger,
    clock: systemClock,
  });
  try {
    const facts = await within(loadLimitMs, supervisor.whenReady(engine.name));
    const [reachable] = supervisor.withSockets([engine]);
    const reply = await ask({
      url: 'http://engine/v1/chat/completions',
      socketPath: reachable?.socketPath,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(smallChat((models[0] as ModelDefinition).id)),
      limitMs: loadLimitMs,
    });
    if (reply.status !== 200)
      throw new Error(`a chat was answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    const seconds = ((facts.loadMs + facts.warmUpMs) / 1000).toFixed(1);
    const where =
      facts.gpu === 'off'
        ? `${facts.threads} processor ${facts.threads === 1 ? 'thread' : 'threads'}`
        : facts.gpu;
    return ok(
      `engine ${engine.name}`,
      `Loaded in ${seconds} s on ${where} and generated in ${Math.round(reply.tookMs)} ms; ${facts.slots} at a time, ${facts.contextTokens} tokens each.`,
    );
  } finally {
    await supervisor.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function smallChat(model: string) {
  return { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1, temperature: 0 };
}

async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`it was not loaded within ${limitMs / 1000} seconds`)),
    limitMs,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
