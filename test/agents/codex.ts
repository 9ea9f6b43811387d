import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agent, system } from './agent.ts';

/** Speaks Responses and nothing else. It writes files by running commands. */
export const codex: Agent = {
  name: 'Codex',
  packages: { '@openai/codex': '0.166.0' },
  program: `@openai/codex-${system}/vendor/${target()}/bin/codex`,
  endpoint: 'responses',
  tool: { name: 'exec_command', call: (file, content) => ({ cmd: `printf ${content} > ${file}` }) },
  async prepare({ home, url, key, model }) {
    const settings = `
model = "${model}"
model_provider = "gatehouse"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.gatehouse]
name = "Gatehouse"
base_url = "${url}/v1"
env_key = "GATEHOUSE_API_KEY"
wire_api = "responses"
`;
    const place = join(home, '.codex');
    await mkdir(place);
    await writeFile(join(place, 'config.toml'), settings);
    return { CODEX_HOME: place, GATEHOUSE_API_KEY: key };
  },
  words: (task) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', task],
};

/** As its makers name systems inside their packages. */
function target(): string {
  const processor = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return process.platform === 'darwin' ? `${processor}-apple-darwin` : `${processor}-unknown-linux-musl`;
}
