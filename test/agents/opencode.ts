import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agent, system } from './agent.ts';

/** Speaks what its provider speaks. */
function openCode(provider: string, endpoint: Agent['endpoint']): Agent {
  return {
    name: `opencode, ${provider}`,
    packages: { 'opencode-ai': '1.18.33' },
    program: `opencode-${system}/bin/opencode`,
    endpoint,
    tool: { name: 'write', call: (file, content) => ({ filePath: file, content }) },
    async prepare({ folder, url, key, model }) {
      const known = { name: model, tool_call: true, limit: { context: 200_000, output: 8000 } };
      const gatehouse = {
        npm: provider,
        options: { baseURL: `${url}/v1`, apiKey: key },
        models: { [model]: known },
      };
      const settings = {
        autoupdate: false,
        share: 'disabled',
        model: `gatehouse/${model}`,
        small_model: `gatehouse/${model}`,
        provider: { gatehouse },
      };
      await writeFile(join(folder, 'opencode.json'), JSON.stringify(settings));
      return {};
    },
    words: (task) => ['run', task],
  };
}

export const openCodeWithChat = openCode('@ai-sdk/openai-compatible', 'chat/completions');
export const openCodeWithResponses = openCode('@ai-sdk/openai', 'responses');
export const openCodeWithMessages = openCode('@ai-sdk/anthropic', 'messages');
