import { totalmem } from 'node:os';
import { probeGpu } from '#engine/gpu';
import { inspectModelFile } from '#engine/model-files';
import type { EngineDefinition } from '#vocabulary/catalogue';
import { bytesInWords } from '../models/in-words.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

/** The model files of embedded engines, and whether what they need fits into this machine. */
export const checkModels: Check = async ({ loaded, service }) => {
  const { engines, models } = loaded.settings.catalogue;
  const isUsed = ({ name }: EngineDefinition) =>
    models.some(({ replicas }) => replicas.some(({ engineName }) => engineName === name));
  const findings: Finding[] = [];
  let neededBytes = 0;
  for (const engine of engines.filter(isUsed)) {
    if (engine.embedded === undefined) continue;
    const { modelFile, contextTokens, gpu } = engine.embedded;
    try {
      const seen = await inspectModelFile(modelFile, {
        slots: engine.maxConcurrent,
        contextTokens: contextTokens === 'auto' ? undefined : contextTokens,
      });
      findings.push(
        ok(
          'model file',
          `${modelFile}, ${bytesInWords(seen.fileBytes)}, ${seen.quantisation}; sound as far as its header and length tell.`,
        ),
      );
      if (!(await computesOnGpu(gpu))) neededBytes += seen.memory.totalBytes;
    } catch (cause) {
      const said = cause instanceof Error ? cause.message : String(cause);
      findings.push(problem('model file', said, `It belongs to engine ${engine.name}.`));
    }
  }
  return neededBytes === 0 ? findings : [...findings, memoryFinding(neededBytes, service !== undefined)];
};

async function computesOnGpu(gpu: 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal'): Promise<boolean> {
  return gpu !== 'off' && (await probeGpu(gpu)).gpu !== 'off';
}

/** What the gateway itself takes beside its engines. */
const gatewayBytes = 300e6;

function memoryFinding(engineBytes: number, isRunning: boolean): Finding {
  const limit = process.constrainedMemory();
  const totalBytes = limit > 0 && limit < totalmem() ? limit : totalmem();
  const neededBytes = engineBytes + gatewayBytes;
  const said = `Engines and gateway need about ${bytesInWords(neededBytes)} with all slots in use, of ${bytesInWords(totalBytes)}`;
  const advice = 'Lower maxConcurrent or context of the embedded engines, or choose a smaller model.';
  if (neededBytes > totalBytes) return problem('memory', `${said}.`, advice);
  const availableBytes = process.availableMemory();
  if (!isRunning && neededBytes > availableBytes)
    return warning('memory', `${said}, but only ${bytesInWords(availableBytes)} are free now.`, advice);
  return ok('memory', `${said}.`);
}
