import type { JsonObject } from '#dialects/json-object';
import { offeredTools } from './offered-tools.ts';
import { notOffered, requireObject, requireText, shown, wrong } from './wrong-message.ts';

/** The tools a caller runs. What a vendor's own servers would run is refused by name. */
export function chatTools(given: unknown, messages: unknown): JsonObject[] {
  const tools: unknown = given ?? [];
  if (!Array.isArray(tools)) throw wrong('tools', '"tools" must be a list.');
  return offeredTools(tools, Array.isArray(messages) ? messages : []).map((entry, index) => {
    const param = `tools[${index}]`;
    const tool = requireObject(entry, param);
    const kind = tool['type'] ?? 'custom';
    if (kind !== 'custom')
      throw notOffered(
        param,
        `The tool ${shown(tool['name'])} is of type ${shown(kind)}: this service runs no tools of its own. Declare it as a tool with "input_schema" and run it yourself.`,
      );
    return {
      type: 'function',
      function: {
        name: requireText(tool['name'], `${param}.name`),
        ...(tool['description'] != null && {
          description: requireText(tool['description'], `${param}.description`),
        }),
        parameters: requireObject(tool['input_schema'], `${param}.input_schema`),
        ...(tool['strict'] === true && { strict: true }),
      },
    };
  });
}

/** `tool_choice` and `parallel_tool_calls`. */
export function chatToolChoice(choice: unknown): JsonObject {
  if (choice === undefined || choice === null) return {};
  const asked = requireObject(choice, 'tool_choice');
  const parallel = asked['disable_parallel_tool_use'] === true ? { parallel_tool_calls: false } : {};
  switch (asked['type']) {
    case 'auto':
      return { tool_choice: 'auto', ...parallel };
    case 'any':
      return { tool_choice: 'required', ...parallel };
    case 'none':
      return { tool_choice: 'none' };
    case 'tool': {
      const name = requireText(asked['name'], 'tool_choice.name');
      return { tool_choice: { type: 'function', function: { name } }, ...parallel };
    }
    default:
      throw wrong('tool_choice', '"tool_choice.type" must be "auto", "any", "tool" or "none".');
  }
}
