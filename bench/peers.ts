/** Gateways of other makers, from the registries of their languages: installed beside the measurement, once. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolderOf } from '#harness/cache-folder';
import { bringEnvironment, type PythonEnvironment } from '#harness/python-environment';
import { systemProgram } from '#harness/system-programs';
import { type Contender, freePort, ready } from './contenders.ts';
import { scratchFolder } from './surroundings.ts';

export const peers = [
  { name: 'LiteLLM', start: startLitellm },
  { name: 'SGLang router', start: startSglangRouter },
  { name: 'Bifrost', start: startBifrost },
] as const;

const python = (): Promise<PythonEnvironment> =>
  bringEnvironment('bench-peers-2', ({ install }) =>
    install('litellm[proxy]==1.106.2', 'sglang-router==0.3.2'),
  );

/** With a key, as ours has one. Its books need a database client that is not in Python's registry: they are off. */
async function startLitellm(upstreamPort: number): Promise<Contender> {
  const { python: interpreter } = await python();
  const folder = scratchFolder('litellm');
  const port = await freePort();
  const settings = {
    model_list: [
      {
        model_name: 'bench',
        litellm_params: {
          model: 'openai/bench',
          api_base: `http://127.0.0.1:${upstreamPort}/v1`,
          api_key: 'bench',
        },
      },
    ],
    general_settings: { master_key: 'sk-bench' },
    litellm_settings: { telemetry: false },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  const litellm = join(interpreter, '..', 'litellm');
  const words = ['--config', 'config.json', '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(litellm, words, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, LITELLM_LOG: 'ERROR', LITELLM_MODE: 'PRODUCTION' },
  });
  return ready({ name: 'LiteLLM', url: chatUrl(port), headers: { authorization: 'Bearer sk-bench' }, child });
}

/** Routes by the prompt's prefix; knows no keys and no accounts. */
async function startSglangRouter(upstreamPort: number): Promise<Contender> {
  const { python: interpreter } = await python();
  const port = await freePort();
  const words = [
    '-m',
    'sglang_router.launch_router',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--worker-urls',
    `http://127.0.0.1:${upstreamPort}`,
  ];
  const child = spawn(interpreter, words, { cwd: scratchFolder('sglang-router'), stdio: 'ignore' });
  return ready({ name: 'SGLang router', url: chatUrl(port), headers: {}, child });
}

/** With a key of its own, and its log of requests, which is its books, without their texts. */
async function startBifrost(upstreamPort: number): Promise<Contender> {
  const program = bifrostProgram();
  const folder = scratchFolder('bifrost');
  const port = await freePort();
  const network = { base_url: `http://127.0.0.1:${upstreamPort}`, allow_private_network: true };
  // Without these it asks its makers for prices, and does not start where they cannot be reached.
  const nothing = join(folder, 'nothing.json');
  writeFileSync(nothing, '{}');
  const none = pathToFileURL(nothing).href;
  const pricing = { pricing_url: none, model_parameters_url: none, mcp_library_url: none };
  const keys = [{ name: 'bench', value: 'bench', models: ['*'], weight: 1 }];
  const mayUse = [{ provider: 'openai', allowed_models: ['*'], key_ids: ['*'], weight: 1 }];
  const store = (file: string) => ({ enabled: true, type: 'sqlite', config: { path: join(folder, file) } });
  const settings = {
    client: { enable_logging: true, disable_content_logging: true, enforce_auth_on_inference: true },
    config_store: store('config.db'),
    logs_store: store('logs.db'),
    governance: {
      virtual_keys: [{ id: 'bench', name: 'bench', value: 'sk-bf-bench', provider_configs: mayUse }],
    },
    framework: { pricing },
    providers: { openai: { keys, network_config: network } },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  const words = ['-app-dir', folder, '-host', '127.0.0.1', '-port', String(port), '-log-level', 'error'];
  const child = spawn(program, words, { cwd: folder, stdio: 'ignore' });
  const headers = { 'x-bf-vk': 'sk-bf-bench' };
  return ready({ name: 'Bifrost', url: chatUrl(port), headers, model: 'openai/bench', child });
}

/** From Go's registry, which does not have it everywhere: whoever built it from source puts it there, or names it. */
function bifrostProgram(): string {
  const named = process.env['GATEHOUSE_BIFROST'];
  if (named !== undefined) return named;
  const home = cacheFolderOf('bench');
  const program = join(home, 'bifrost-http');
  if (!existsSync(program))
    execFileSync(
      systemProgram('go'),
      ['install', 'github.com/maximhq/bifrost/transports/bifrost-http@latest'],
      {
        env: { ...process.env, GOBIN: home },
        stdio: 'ignore',
      },
    );
  return program;
}

function chatUrl(port: number): string {
  return `http://127.0.0.1:${port}/v1/chat/completions`;
}
