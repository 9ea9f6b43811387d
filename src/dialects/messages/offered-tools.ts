import { isObject, type JsonObject } from '#dialects/json-object';
import { notOffered, requireObject, requireText, shown } from './wrong-message.ts';

/**
 * The tools a model may call now. A conversation can bring in tools that were declared as deferred, define further
 * ones and withdraw them again; an engine is shown those that are left. Called before the messages are translated,
 * which refuses whatever is wrong with them.
 */
export function offeredTools(tools: readonly unknown[], messages: readonly unknown[]): readonly unknown[] {
  const declared = new Map<unknown, unknown>();
  const hidden = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    const name = isObject(tool) ? tool['name'] : undefined;
    // What has no name, or that of another, is for the checks of the tools to refuse.
    declared.set(declared.has(name) ? index : name, tool);
    if (isObject(tool) && tool['defer_loading'] === true) hidden.add(name);
  }
  for (const [index, message] of messages.entries()) {
    const content = isObject(message) ? message['content'] : undefined;
    for (const block of blocksIn(content)) change(block, `messages[${index}].content`);
  }
  return [...declared].filter(([name]) => !hidden.has(name)).map(([, tool]) => tool);

  function change(block: JsonObject, param: string): void {
    switch (block['type']) {
      case 'tool_result':
        for (const inner of blocksIn(block['content']))
          if (inner['type'] === 'tool_reference') hidden.delete(inner['tool_name']);
        return;
      case 'tool_addition':
        add(requireObject(block['tool'], `${param}.tool`), param);
        return;
      case 'tool_removal':
        hidden.add(requireText(requireObject(block['tool'], `${param}.tool`)['name'], `${param}.tool.name`));
        return;
      default:
    }
  }

  function add(tool: JsonObject, param: string): void {
    switch (tool['type']) {
      case 'tool_reference':
        hidden.delete(tool['name']);
        return;
      case 'tool_definition': {
        const definition = requireObject(tool['definition'], `${param}.tool.definition`);
        declared.set(definition['name'], definition);
        hidden.delete(definition['name']);
        return;
      }
      default:
        throw notOffered(
          `${param}.tool`,
          `"${param}" adds a tool of type ${shown(tool['type'])}: this service runs no tools of its own.`,
        );
    }
  }
}

function blocksIn(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}
