import type { ModelInspection } from '#engine/model-files';

/** The lines of a settings file that serve this model, fitted to what its chat template can do. */
export function settingsSnippet(
  modelFile: string,
  id: string,
  template: ModelInspection['template'],
): string {
  const lines = [
    'engines:',
    `  - name: ${id}`,
    '    kind: embedded',
    `    modelFile: ${modelFile}`,
    'models:',
    `  - id: ${id}`,
    `    engines: [${id}]`,
  ];
  if (template?.knowsTools === true) lines.push('    tools: true');
  if (template?.knowsThinking === true) lines.push('    reasoning: separate');
  if (template?.knowsReasoningEffort === true) lines.push('    reasoningEffort: true');
  return lines.join('\n');
}

/** An id that also fits as the path of an address. */
export function suggestedId(fileName: string): string {
  const bare = fileName.replace(/(-\d{5}-of-\d{5})?\.gguf$/, '').replaceAll(/[^A-Za-z0-9._-]/g, '-');
  return bare.slice(0, 64);
}
