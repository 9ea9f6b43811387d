import { isObject, type JsonObject } from '#dialects/json-object';
import { shown, unsupported, wrong } from './wrong.ts';

export interface ReadTools {
  readonly chat: readonly ChatTool[];
  /** Those that are called otherwise in a chat, by their name there. */
  readonly renamed: ReadonlyMap<string, CalledTool>;
}

export interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string } & JsonObject;
}

export interface CalledTool {
  readonly name: string;
  readonly namespace: string | undefined;
  /** It takes plain text. */
  readonly isCustom: boolean;
}

/**
 * Functions are functions. A custom tool, which takes plain text, becomes a function with one text; the tools of a
 * namespace are called by both names. Every other tool would run inside OpenAI's own service.
 */
export function readTools(tools: unknown, ignored: string[]): ReadTools {
  const renamed = new Map<string, CalledTool>();
  if (tools === undefined || tools === null) return { chat: [], renamed };
  if (!Array.isArray(tools)) throw wrong('tools', '"tools" must be a list.');
  const hasOthers = tools.some((tool: unknown) => isObject(tool) && !isSearch(tool));
  const chat = tools.flatMap((tool: unknown) => {
    if (!isObject(tool)) throw wrong('tools', 'Every one of "tools" must be an object.');
    if (tool.type === 'namespace') return namespaceTools(tool, renamed, ignored);
    // Coding agents offer it beside their own tools whatever the service; they can do without.
    if (hasOthers && isSearch(tool)) {
      noteOnce(ignored, `tools.${tool.type}`);
      return [];
    }
    return [readTool(tool, undefined, renamed, ignored)];
  });
  return { chat, renamed };
}

function namespaceTools(
  { name, tools }: JsonObject,
  renamed: Map<string, CalledTool>,
  ignored: string[],
): ChatTool[] {
  if (typeof name !== 'string' || !Array.isArray(tools))
    throw wrong('tools', 'A namespace needs a "name" and "tools".');
  return tools.map((tool: unknown) => {
    if (!isObject(tool)) throw wrong('tools', 'Every tool of a namespace must be an object.');
    return readTool(tool, name, renamed, ignored);
  });
}

function readTool(
  tool: JsonObject,
  namespace: string | undefined,
  renamed: Map<string, CalledTool>,
  ignored: string[],
): ChatTool {
  if (tool.type !== 'function' && tool.type !== 'custom') throw hosted('tools', tool.type);
  const isCustom = tool.type === 'custom';
  if (isCustom && isObject(tool.format) && tool.format.type !== 'text') noteOnce(ignored, 'tools.format');
  const name = nameOf(tool);
  const chatName = chatToolName(name, namespace);
  if (isCustom || namespace !== undefined) renamed.set(chatName, { name, namespace, isCustom });
  return isCustom ? customTool(tool, chatName) : functionTool(tool, chatName);
}

/** What a chat calls a tool. */
export function chatToolName(name: string, namespace: unknown): string {
  return typeof namespace === 'string' ? `${namespace}__${name}` : name;
}

function isSearch(tool: JsonObject): tool is JsonObject & { type: string } {
  return tool.type === 'web_search' || tool.type === 'web_search_preview';
}

function functionTool(tool: JsonObject, name: string): ChatTool {
  const { description, parameters, strict } = tool;
  return {
    type: 'function',
    function: {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      parameters: isObject(parameters) ? parameters : { type: 'object', properties: {} },
      ...(typeof strict === 'boolean' ? { strict } : {}),
    },
  };
}

function customTool(tool: JsonObject, name: string): ChatTool {
  const { description } = tool;
  const input = { type: 'string', description: 'The whole input of the tool, as plain text.' };
  return {
    type: 'function',
    function: {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      parameters: { type: 'object', properties: { input }, required: ['input'], additionalProperties: false },
    },
  };
}

export interface ReadToolChoice {
  /** Those that may be called. */
  readonly tools: readonly ChatTool[];
  readonly choice: unknown;
}

export function readToolChoice(choice: unknown, tools: readonly ChatTool[]): ReadToolChoice {
  if (choice === undefined || choice === null) return { tools, choice: undefined };
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { tools, choice };
  if (!isObject(choice))
    throw wrong('tool_choice', '"tool_choice" must be none, auto, required, or name a tool.');
  switch (choice.type) {
    case 'function':
    case 'custom':
      return {
        tools,
        choice: { type: 'function', function: { name: offered(nameOf(choice, 'tool_choice'), tools) } },
      };
    case 'allowed_tools':
      return { tools: allowedTools(choice, tools), choice: choice.mode === 'required' ? 'required' : 'auto' };
    default:
      throw hosted('tool_choice', choice.type);
  }
}

function allowedTools(choice: JsonObject, tools: readonly ChatTool[]): ChatTool[] {
  if (!Array.isArray(choice.tools))
    throw wrong('tool_choice', '"tool_choice" of type allowed_tools needs "tools".');
  const names = new Set(
    choice.tools.map((tool: unknown) => {
      if (!isObject(tool)) throw wrong('tool_choice', 'Every allowed tool must be an object.');
      if (tool.type !== 'function' && tool.type !== 'custom') throw hosted('tool_choice', tool.type);
      return offered(nameOf(tool, 'tool_choice'), tools);
    }),
  );
  return tools.filter((tool) => names.has(tool.function.name));
}

function offered(name: string, tools: readonly ChatTool[]): string {
  if (tools.some((tool) => tool.function.name === name)) return name;
  throw wrong('tool_choice', `"tool_choice" names ${shown(name)}, which is not among "tools".`);
}

function nameOf(tool: JsonObject, param = 'tools'): string {
  if (typeof tool.name === 'string' && tool.name !== '') return tool.name;
  throw wrong(param, 'Every tool needs a "name".');
}

function hosted(param: string, type: unknown): Error {
  return unsupported(
    param,
    `This service has no tool of type ${shown(type)}: such tools run inside OpenAI's own service. Offer tools of type "function" or "custom" and run them yourself.`,
  );
}

function noteOnce(ignored: string[], name: string): void {
  if (!ignored.includes(name)) ignored.push(name);
}
