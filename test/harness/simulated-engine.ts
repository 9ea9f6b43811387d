import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerGeneration } from './simulated-generation.ts';
import { errorBody, isVllm, modelEntry, stringOf } from './simulated-flavours.ts';
import type { EngineFlavour, Json } from './simulated-flavours.ts';
import { answerSideEndpoint } from './simulated-side-endpoints.ts';
import { EngineState, sendJson, sendText } from './simulated-state.ts';
import type {
  CountedTokens,
  EngineControl,
  EngineEvent,
  Generation,
  ReceivedRequest,
  SimulatedEngineOptions,
} from './simulated-state.ts';

export interface SimulatedEngine extends AsyncDisposable {
  readonly flavour: EngineFlavour;
  /** Without `/v1`; a placeholder host when the engine listens on a unix socket. */
  readonly url: string;
  readonly socketPath: string | undefined;
  /** Everything, the gateway's own looks at the engine too, which come whenever they like. */
  readonly requests: ReceivedRequest[];
  /** What was asked on somebody's behalf: the gateway's own looks are left out, here and below. */
  readonly asked: readonly ReceivedRequest[];
  readonly generations: readonly Generation[];
  readonly events: EngineEvent[];
  readonly abortCalls: Json[];
  readonly control: EngineControl;
  readonly counted: CountedTokens;
  readonly activeGenerations: number;
  readonly openSockets: number;
  /** Every generation whose prompt holds the mark. */
  marked(mark: string): Generation[];
  requestsMarked(mark: string): ReceivedRequest[];
  /** Stops listening and drops every connection; `acceptAgain` listens on the same address. */
  refuseConnections(): Promise<void>;
  acceptAgain(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSimulatedEngine(options: SimulatedEngineOptions): Promise<SimulatedEngine> {
  const state = new EngineState(options);
  const server = createServer((request, response) => {
    void serve(state, request, response);
  });
  server.keepAliveTimeout = options.keepAliveTimeoutMs ?? 5_000;
  server.keepAliveTimeoutBuffer = 0;
  server.on('connection', (socket) => state.follow(socket));
  await listen(server, options.socketPath, 0);
  const port = options.socketPath === undefined ? (server.address() as AddressInfo).port : 0;
  const stop = async () => {
    for (const generation of state.generations) generation.abort();
    await close(server, state);
  };
  return {
    flavour: options.flavour,
    url: options.socketPath === undefined ? `http://127.0.0.1:${port}` : 'http://engine',
    socketPath: options.socketPath,
    requests: state.requests,
    get asked() {
      return state.requests.filter((request) => !isOwnLook(request));
    },
    get generations() {
      return state.generations.filter(({ request }) => !isProbe(request));
    },
    events: state.events,
    abortCalls: state.abortCalls,
    control: state.control,
    counted: state.counted,
    get activeGenerations() {
      return state.active().filter(({ request }) => !isProbe(request)).length;
    },
    get openSockets() {
      return state.sockets.size;
    },
    marked: (mark) => state.generations.filter((generation) => generation.prompt.includes(mark)),
    requestsMarked: (mark) => state.requests.filter((request) => request.body.includes(mark)),
    refuseConnections: () => close(server, state),
    acceptAgain: () => listen(server, options.socketPath, port),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function isOwnLook({ method, url, body }: ReceivedRequest): boolean {
  return method === 'GET' || (url === '/v1/completions' && isProbe(parseObject(body) ?? {}));
}

/** A healthy engine that nobody asked for half a minute is asked for one token. */
function isProbe(request: Json): boolean {
  return request['prompt'] === 'Hello' && request['max_tokens'] === 1;
}

async function serve(state: EngineState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {});
  const { socket } = request;
  const priorOnSocket = state.servedOn.get(socket) ?? 0;
  if (priorOnSocket > 0 && state.control.closeRaces > 0) {
    state.control.closeRaces -= 1;
    socket.destroy();
    return;
  }
  state.servedOn.set(socket, priorOnSocket + 1);
  if (state.control.early !== undefined && Number(request.headers['content-length']) > 1_000_000) {
    response.writeHead(state.control.early, { 'retry-after': '7', 'content-type': 'application/json' });
    response.end('{}');
    request.resume();
    return;
  }
  const body = await readAll(request).catch(() => undefined);
  if (body === undefined) return;
  const { method = '', url = '', headers, rawHeaders } = request;
  state.requests.push({ method, url, rawHeaders, headers, body, priorOnSocket });
  const path = url.split('?')[0]!;

  if (
    state.credential !== undefined &&
    path.startsWith('/v1') &&
    headers.authorization !== `Bearer ${state.credential}`
  ) {
    return sendJson(response, 401, { error: 'Unauthorized' });
  }
  if (method === 'GET') return answerGet(state, path, response);
  const json = parseObject(body);
  if (json === undefined || !(headers['content-type'] ?? '').startsWith('application/json')) {
    return sendJson(response, 400, errorBody(state.flavour, 400, 'Body is not a JSON object'));
  }
  if (path === '/v1/chat/completions') return answerGeneration(state, 'chat', json, request, response);
  if (path === '/v1/completions') return answerGeneration(state, 'text', json, request, response);
  if (path === '/abort_request' && state.flavour === 'sglang') return answerAbort(state, json, response);
  return answerSideEndpoint(state, path, json, request, response);
}

function answerGet(state: EngineState, path: string, response: ServerResponse): void {
  const { flavour, control } = state;
  const load = state.active().length + control.extraLoad;
  if (path === '/health' || (path === '/health_generate' && flavour === 'sglang')) {
    if (control.health === 'hang') return;
    const status = control.health === 'ok' ? 200 : 503;
    return flavour === 'llama-server'
      ? sendJson(response, status, { status: 'ok' })
      : sendText(response, status, '');
  }
  if (path === '/v1/models') {
    const data = state.models.map((model) => modelEntry(flavour, model.id, model.maxModelLen));
    return sendJson(response, 200, { object: 'list', data });
  }
  if (path === '/version' && isVllm(flavour)) return sendJson(response, 200, { version: '0.11.0' });
  if (path === '/metrics') return sendText(response, 200, metricsText(flavour, load) + countersText(state));
  if (path === '/load' && isVllm(flavour)) return sendJson(response, 200, { server_load: load });
  if (path === '/v1/loads' && flavour === 'sglang') {
    const loads = [
      { dp_rank: 0, num_running_reqs: load, num_waiting_reqs: 0, token_usage: 0.1, max_running_requests: 64 },
    ];
    return sendJson(response, 200, { timestamp: Date.now() / 1000, version: '0.5.18', loads });
  }
  sendJson(response, 404, { detail: 'Not Found' });
}

/** SGLang's scheduler matches by prefix, so rids that are prefixes of each other hit strangers. */
function answerAbort(state: EngineState, json: Json, response: ServerResponse): void {
  state.abortCalls.push(json);
  const rid = stringOf(json['rid'], '');
  const hit = state
    .active()
    .filter((generation) => json['abort_all'] === true || generation.id.startsWith(rid));
  state.events.push({ kind: 'abort-called', rid, matched: hit.length });
  for (const generation of hit) generation.abort();
  sendText(response, 200, '');
}

function metricsText(flavour: EngineFlavour, load: number): string {
  if (isVllm(flavour)) {
    const labels = '{engine="0",model_name="m"}';
    return `vllm:num_requests_running${labels} ${load}\nvllm:num_requests_waiting${labels} 0\nvllm:kv_cache_usage_perc${labels} 0.1\n`;
  }
  if (flavour === 'sglang')
    return `sglang:num_running_reqs{model_name="m"} ${load}\nsglang:num_queue_reqs{model_name="m"} 0\n`;
  return `llamacpp:requests_processing ${load}\nllamacpp:requests_deferred 0\n`;
}

/** llama-server counts only what it had to read; the others also what they still held. */
function countersText({ flavour, control, counted }: EngineState): string {
  if (control.counters === 'none' || flavour === 'openai') return '';
  const [input, output] = control.counters === 'honest' ? [counted.input, counted.output] : ['-1e400', 'NaN'];
  if (isVllm(flavour)) {
    const labels = '{engine="0",model_name="m"}';
    return `vllm:prompt_tokens_total${labels} ${input}\nvllm:generation_tokens_total${labels} ${output}\n`;
  }
  if (flavour === 'sglang')
    return `sglang:prompt_tokens_total{model_name="m"} ${input}\nsglang:generation_tokens_total{model_name="m"} ${output}\n`;
  const read = typeof input === 'number' ? input - counted.cached : input;
  return `llamacpp:prompt_tokens_total ${read}\nllamacpp:tokens_predicted_total ${output}\n`;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parseObject(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

async function listen(server: Server, socketPath: string | undefined, port: number): Promise<void> {
  if (socketPath === undefined) server.listen(port, '127.0.0.1');
  else server.listen(socketPath);
  await once(server, 'listening');
}

async function close(server: Server, state: EngineState): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  for (const socket of state.sockets) socket.destroy();
  await closed;
}
