import type { EngineDefinition } from '#vocabulary/catalogue';
import { askEmbeddedEngine } from './ask-embedded-engine.ts';
import { askHttpEngine } from './ask-http-engine.ts';
import { type Check, type Finding, ok, warning } from './finding.ts';

/** A real generation by every engine that serves a model. */
export const checkEngines: Check = async (patient) => {
  const { engines, models } = patient.loaded.settings.catalogue;
  const findings: Finding[] = [];
  for (const engine of engines) {
    const served = models.filter((model) =>
      model.replicas.some(({ engineName }) => engineName === engine.name),
    );
    const about = `engine ${engine.name}`;
    if (served.length === 0) findings.push(...unused(engine, about));
    else if (!patient.generates) findings.push(ok(about, `${engine.kind}; not asked (--quick).`));
    else if (engine.kind === 'embedded') findings.push(await askEmbeddedEngine(patient, engine, served));
    else findings.push(...(await askHttpEngine(patient, engine, served)));
  }
  return findings;
};

/** The built-in engine is always there, also where nobody wants it. */
function unused(engine: EngineDefinition, about: string): Finding[] {
  return engine.kind === 'embedded' && engine.name === 'pocket'
    ? []
    : [
        warning(
          about,
          'No model uses it.',
          'Name it under engines of a model, or remove it from the settings.',
        ),
      ];
}
