/** Gateways of other makers, from the registries of their languages: installed beside the measurement, once. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bringEnvironment, type PythonEnvironment } from '#harness/python-environment';
import { type Contender, freePort, ready } from './contenders.ts';

/** Those that can be had here; why another cannot is said. */
export async function startPeers(upstreamPort: number): Promise<Contender[]> {
  const peers: Contender[] = [];
  for (const start of [startLitellm, startSglangRouter, startBifrost])
    try {
      peers.push(await start(upstreamPort));
    } catch (cause) {
      console.log(
        `${start.name}: left out, because ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  return peers;
}

const python = (): Promise<PythonEnvironment> =>
  bringEnvironment('bench-peers-1', ({ install }) => install('litellm[proxy]', 'sglang-router'));

/** With a key of its own, as ours has one; it writes no usage down without a database. */
async function startLitellm(upstreamPort: number): Promise<Contender> {
  const { python: interpreter } = await python();
  const folder = scratch('litellm');
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
  const child = spawn(interpreter, words, { cwd: scratch('sglang-router'), stdio: 'ignore' });
  return ready({ name: 'SGLang router', url: chatUrl(port), headers: {}, child });
}

/** Go's registry does not have it everywhere, so whoever has built it names it. Logs and keys of its own are off. */
async function startBifrost(upstreamPort: number): Promise<Contender> {
  const program = process.env['GATEHOUSE_BIFROST'];
  if (program === undefined) throw new Error('GATEHOUSE_BIFROST names no program');
  const folder = scratch('bifrost');
  const port = await freePort();
  const network = { base_url: `http://127.0.0.1:${upstreamPort}`, allow_private_network: true };
  // Without these it asks its makers for prices, and does not start where they cannot be reached.
  const nothing = join(folder, 'nothing.json');
  writeFileSync(nothing, '{}');
  const none = pathToFileURL(nothing).href;
  const pricing = { pricing_url: none, model_parameters_url: none, mcp_library_url: none };
  const keys = [{ name: 'bench', value: 'bench', models: ['*'], weight: 1 }];
  const settings = {
    client: { enable_logging: false },
    config_store: { enabled: false },
    logs_store: { enabled: false },
    framework: { pricing },
    providers: { openai: { keys, network_config: network } },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  const words = ['-app-dir', folder, '-host', '127.0.0.1', '-port', String(port), '-log-level', 'error'];
  const child = spawn(program, words, { cwd: folder, stdio: 'ignore' });
  return ready({ name: 'Bifrost', url: chatUrl(port), headers: {}, model: 'openai/bench', child });
}

function scratch(name: string): string {
  const folder = join(tmpdir(), `gatehouse-bench-${name}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function chatUrl(port: number): string {
  return `http://127.0.0.1:${port}/v1/chat/completions`;
}
