import { writeFileSync } from 'node:fs';
import { settingsDocument, settingsJsonSchema } from '#settings';
import { metricsDocument } from '#telemetry';

/** Documents that are made from the tables in the code, by path. `npm run docs` writes them. */
export function generatedDocuments(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/settings.md', settingsDocument()],
    ['docs/gatehouse.schema.json', `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`],
    ['docs/metrics.md', metricsDocument()],
  ]);
}

if (import.meta.main) {
  for (const [path, text] of generatedDocuments()) {
    writeFileSync(new URL(`../../${path}`, import.meta.url), text);
  }
}
