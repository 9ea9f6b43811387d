import { Refusal } from '#vocabulary/refusal';
import { isObject, type JsonObject } from '../json-object.ts';
import type { EngineProfile } from '../engine-profile.ts';
import { readArray, readBoolean, wrong } from '../wire/read-field.ts';

export interface DeclaredTool {
  readonly name: string;
  /** JSON Schema of the arguments; undefined takes any object. */
  readonly parameters: unknown;
  /** As the caller sent it, for the template. */
  readonly declaration: JsonObject;
}

/** Which tools the model may call now, and whether it must. */
export interface ToolWishes {
  /** Shown to the model. */
  readonly declared: readonly DeclaredTool[];
  /** May be called: all of them, or the one that was named. */
  readonly callable: readonly DeclaredTool[];
  readonly isRequired: boolean;
  readonly mayRepeat: boolean;
}

/** Undefined: this answer has no calls. */
export function readTools(body: JsonObject, profile: EngineProfile): ToolWishes | undefined {
  const tools = (readArray(body, 'tools') ?? []).map(readTool);
  if (tools.length === 0) return undefined;
  if (!profile.supportsTools) {
    throw new Refusal('unsupported_parameter', `The model "${profile.id}" does not call tools.`, {
      param: 'tools',
    });
  }
  const choice = body['tool_choice'] ?? 'auto';
  if (choice === 'none') return undefined;
  const mayRepeat = readBoolean(body, 'parallel_tool_calls') ?? true;
  if (choice === 'auto' || choice === 'required') {
    return { declared: tools, callable: tools, isRequired: choice === 'required', mayRepeat };
  }
  const name = isObject(choice) && isObject(choice['function']) ? choice['function']['name'] : undefined;
  if (typeof name !== 'string') {
    throw wrong(
      'tool_choice',
      '"tool_choice" must be "none", "auto", "required" or {"type": "function", "function": {"name": …}}.',
    );
  }
  const named = tools.filter((tool) => tool.name === name);
  if (named.length === 0)
    throw wrong('tool_choice', `"tool_choice" names "${name}", which is not in "tools".`);
  return { declared: tools, callable: named, isRequired: true, mayRepeat: false };
}

function readTool(tool: unknown, index: number): DeclaredTool {
  const param = `tools[${index}]`;
  if (!isObject(tool) || tool['type'] !== 'function' || !isObject(tool['function'])) {
    throw wrong(param, `${param} must be {"type": "function", "function": {…}}.`);
  }
  const { name, parameters } = tool['function'];
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_.:-]{1,128}$/.test(name)) {
    throw wrong(
      `${param}.function.name`,
      `${param}.function.name must be 1 to 128 letters, digits, dots, colons, dashes or underscores.`,
    );
  }
  return { name, parameters: parameters ?? undefined, declaration: tool };
}
