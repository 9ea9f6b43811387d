import { type OfferedTool, toldOf, type ToolBench } from '#vocabulary/tools';
import type { AskedFor } from './chat-request.ts';
import type { PlannedMessage } from './plan-context.ts';

/** What the model is told of: the tools that are switched on, until it has asked often enough for this question. */
export async function offerTools(
  bench: ToolBench,
  personId: string,
  { model, parameters }: AskedFor,
  branch: readonly PlannedMessage[],
): Promise<readonly OfferedTool[]> {
  const { toolServers = [], tools: own = [] } = parameters;
  if (!model.supportsTools || toolServers.length === 0) return [];
  const question = branch.findLastIndex(({ role }) => role === 'user');
  const rounds = branch.slice(question + 1).filter(({ toolCalls }) => toolCalls.length > 0).length;
  if (rounds >= bench.maxRounds) return [];
  // A tool of one's own answers to its name.
  const taken = new Set(own.map((tool) => tool.function.name));
  const offered = await bench.toolsOf(personId, toolServers);
  return offered.filter(({ functionName }) => !taken.has(functionName));
}

/** The same question with these tools beside one's own. */
export function withTools(asked: AskedFor, offered: readonly OfferedTool[]): AskedFor {
  if (offered.length === 0) return asked;
  const tools = offered.map(toldOf);
  return {
    ...asked,
    parameters: { ...asked.parameters, tools: [...(asked.parameters.tools ?? []), ...tools] },
  };
}
