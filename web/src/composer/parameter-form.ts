import type { Parameters } from '#contract/messages';

/** The panel's fields as text; an empty one means that the model decides. */
export interface ParameterForm {
  readonly temperature: string;
  readonly topP: string;
  readonly maxTokens: string;
  readonly seed: string;
  readonly presencePenalty: string;
  readonly frequencyPenalty: string;
  readonly stop: string;
  readonly tools: string;
}

/** The limits are the server's; the browser's own number field shows them while typing. */
export const numberFields = [
  { name: 'temperature', min: 0, max: 2, step: 0.05 },
  { name: 'topP', min: 0.01, max: 1, step: 0.01 },
  { name: 'maxTokens', min: 1, max: 1_000_000, step: 1 },
  { name: 'seed', min: 0, max: 2 ** 31 - 1, step: 1 },
  { name: 'presencePenalty', min: -2, max: 2, step: 0.1 },
  { name: 'frequencyPenalty', min: -2, max: 2, step: 0.1 },
] as const;

export function toForm(parameters: Parameters): ParameterForm {
  return {
    temperature: parameters.temperature?.toString() ?? '',
    topP: parameters.topP?.toString() ?? '',
    maxTokens: parameters.maxTokens?.toString() ?? '',
    seed: parameters.seed?.toString() ?? '',
    presencePenalty: parameters.presencePenalty?.toString() ?? '',
    frequencyPenalty: parameters.frequencyPenalty?.toString() ?? '',
    stop: parameters.stop?.map((sequence) => escape(sequence)).join('\n') ?? '',
    tools: parameters.tools === undefined ? '' : JSON.stringify(parameters.tools, null, 2),
  };
}

export function readForm(
  form: ParameterForm,
): { readonly parameters: Parameters } | { readonly problems: ReadonlySet<keyof ParameterForm> } {
  const problems = new Set<keyof ParameterForm>();
  const parameters: { -readonly [Name in keyof Parameters]: Parameters[Name] } = {};
  for (const { name, min, max } of numberFields) {
    const text = form[name].trim();
    if (text === '') continue;
    const value = Number(text);
    if (Number.isFinite(value) && value >= min && value <= max) parameters[name] = value;
    else problems.add(name);
  }
  const stop = form.stop.split('\n').filter((line) => line !== '');
  if (stop.length > 4) problems.add('stop');
  else if (stop.length > 0) parameters.stop = stop.map(unescape);
  const tools = readTools(form.tools);
  if (tools === 'unreadable') problems.add('tools');
  else if (tools.length > 0) parameters.tools = tools;
  return problems.size > 0 ? { problems } : { parameters };
}

type Tools = NonNullable<Parameters['tools']>;

function readTools(text: string): Tools | 'unreadable' {
  if (text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isTool) ? (value as Tools) : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function isTool(value: unknown): boolean {
  const tool = value as {
    readonly type?: unknown;
    readonly function?: { readonly name?: unknown } | null;
  } | null;
  return tool?.type === 'function' && typeof tool.function?.name === 'string';
}

/** People write `\n` for a line break; one sequence per line leaves no other way. */
function unescape(line: string): string {
  try {
    return JSON.parse(`"${line.replaceAll('"', String.raw`\"`)}"`) as string;
  } catch {
    return line;
  }
}

function escape(sequence: string): string {
  return JSON.stringify(sequence)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
}
