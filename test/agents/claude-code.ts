import { type Agent, system } from './agent.ts';

/** Speaks Messages. Variables alone lead it here. */
export const claudeCode: Agent = {
  name: 'Claude Code',
  packages: { '@anthropic-ai/claude-code': '2.1.325' },
  program: `@anthropic-ai/claude-code-${system}/claude`,
  endpoint: 'messages',
  tool: { name: 'Write', call: (file, content) => ({ file_path: file, content }) },
  async prepare({ url, key, model }) {
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    };
  },
  words: (task) => ['-p', task, '--permission-mode', 'acceptEdits'],
};
