import { basename, join } from 'node:path';
import type { EmbeddedEngineDefinition, EngineDefinition } from '#vocabulary/catalogue';
import { isFile, type Assembly } from './assembly.ts';
import { pocketModelFile } from './default-catalogue.ts';
import type { SettingsValues } from './settings-table.ts';

type EngineValues = SettingsValues['engines'][number];

/** By name. The built-in engine is among them whether or not it is written. */
export function assembleEngines(
  { engines: written, dataDir }: Pick<SettingsValues, 'engines' | 'dataDir'>,
  assembly: Assembly,
): ReadonlyMap<string, EngineDefinition> {
  const engines = new Map<string, EngineDefinition>();
  for (const [index, engine] of written.entries()) {
    const knob = `engines[${index}]`;
    if (!assembly.isSound(knob)) continue;
    if (engines.has(engine.name)) {
      const problem = `Another engine is already called "${engine.name}".`;
      assembly.refuse(`${knob}.name`, problem, 'Give each engine a name of its own.');
    }
    const isEmbedded = engine.kind === 'embedded';
    if (!isEmbedded) checkAddress(engine, knob, assembly);
    engines.set(engine.name, {
      name: engine.name,
      kind: engine.kind,
      url: engine.url ?? placeholderUrl,
      socketPath: engine.socket,
      credential: engine.credential,
      maxConcurrent: engine.maxConcurrent ?? (isEmbedded ? 8 : 256),
      embedded: isEmbedded ? embeddedEngine(engine, knob, dataDir, assembly) : undefined,
    });
  }
  if (!engines.has(pocketEngine.name)) engines.set(pocketEngine.name, pocketEngine);
  return engines;
}

/** Where the socket decides, the host of the address is only a name. */
const placeholderUrl = 'http://engine';

const pocketEngine: EngineDefinition = {
  name: 'pocket',
  kind: 'embedded',
  url: placeholderUrl,
  socketPath: undefined,
  credential: undefined,
  maxConcurrent: 8,
  embedded: {
    modelFile: pocketModelFile,
    threads: 'auto',
    contextTokens: 'auto',
    gpu: 'auto',
    start: 'boot',
    memoryLimitBytes: undefined,
  },
};

function checkAddress(engine: EngineValues, knob: string, { refuse }: Assembly): void {
  if (engine.url === undefined && engine.socket === undefined) {
    refuse(`${knob}.url`, 'The engine has no address.', 'Give url or socket.');
  }
  if (engine.url !== undefined && engine.socket !== undefined) {
    refuse(`${knob}.socket`, 'The engine has both url and socket.', 'Keep the one on which it listens.');
  }
  if (engine.modelFile !== undefined) {
    refuse(
      `${knob}.modelFile`,
      `An engine of kind ${engine.kind} brings its own weights.`,
      'Remove modelFile.',
    );
  }
}

function embeddedEngine(
  engine: EngineValues,
  knob: string,
  dataDir: string,
  { refuse }: Assembly,
): EmbeddedEngineDefinition {
  const { url, socket, credential } = engine;
  if (url !== undefined || socket !== undefined || credential !== undefined) {
    const extra = url === undefined ? (socket === undefined ? 'credential' : 'socket') : 'url';
    refuse(`${knob}.${extra}`, `An embedded engine needs no ${extra}; we run it.`, 'Remove it.');
  }
  const modelFile = engine.modelFile ?? '';
  const downloaded = join(dataDir, 'models', basename(modelFile));
  const found = [modelFile, downloaded].find(isFile);
  if (engine.modelFile === undefined) {
    refuse(`${knob}.modelFile`, 'The engine has no weights.', 'Name a GGUF file.');
  } else if (found === undefined && modelFile !== pocketModelFile) {
    refuse(
      `${knob}.modelFile`,
      `There is no file ${modelFile}, nor ${downloaded}.`,
      'Name a GGUF file, or fetch one with: gatehouse models pull.',
    );
  }
  return {
    modelFile: found ?? modelFile,
    threads: engine.threads,
    contextTokens: engine.context,
    gpu: engine.gpu,
    start: engine.start,
    memoryLimitBytes: engine.memoryLimit,
  };
}
