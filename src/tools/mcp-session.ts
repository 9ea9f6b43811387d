import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  ListToolsResultSchema,
  type CallToolResult,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { ToolServerDefinition } from '#vocabulary/tools';
import { createBoundedFetch } from './bounded-fetch.ts';
import { ToolProblem } from './tool-problem.ts';

type ListedTool = ListToolsResult['tools'][number];

/** What a server may say about itself and its tools. */
const maxOfferBytes = 2 * 1024 ** 2;
const maxPages = 10;
const listTimeLimitMs = 10_000;
/** Around the text of a result: its envelope, and pictures that are refused but not a reason to fail. */
const envelopeBytes = 4 * 1024 ** 2;

export async function listTools(server: ToolServerDefinition): Promise<readonly ListedTool[]> {
  const limits = { timeLimitMs: listTimeLimitMs, maxBytes: maxOfferBytes };
  return await converse(server, limits, async (client, options) => {
    const listed: ListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      // Not the library's own `listTools`: it would compile the schemas that a server sends.
      const answer = await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ListToolsResultSchema,
        options,
      );
      listed.push(...answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return listed;
  });
}

export async function callTool(
  server: ToolServerDefinition,
  name: string,
  given: Readonly<Record<string, unknown>>,
  stopped: AbortSignal,
): Promise<CallToolResult> {
  const { timeLimitMs } = server;
  const maxBytes = server.resultLimitBytes + envelopeBytes;
  return await converse(server, { timeLimitMs, maxBytes, stopped }, (client, options) =>
    client.request(
      { method: 'tools/call', params: { name, arguments: given } },
      CallToolResultSchema,
      options,
    ),
  );
}

/**
 * One session for one errand: nothing that a server remembers of one person reaches another, and a server that was
 * restarted is not our trouble. We offer it nothing: no files, no models, no questions to people.
 */
async function converse<Answer>(
  server: ToolServerDefinition,
  limits: {
    readonly timeLimitMs: number;
    readonly maxBytes: number;
    readonly stopped?: AbortSignal;
  },
  errand: (client: Client, options: { timeout: number; signal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  const end = (problem: ToolProblem) => over.abort(problem);
  const timer = setTimeout(() => end(new ToolProblem('timeout')), limits.timeLimitMs);
  const onStopped = () => end(new ToolProblem('stopped'));
  limits.stopped?.addEventListener('abort', onStopped);
  if (limits.stopped?.aborted === true) onStopped();
  const { signal } = over;
  /** Until then, an answer that ends and leaves the errand waiting is a failure. */
  let isDone = false;
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: server.headers },
    fetch: createBoundedFetch({
      maxBytes: limits.maxBytes,
      signal,
      onProblem: (problem) => {
        if (!isDone) end(problem);
      },
    }),
  });
  const client = new Client({ name: 'gatehouse', version: '1' }, { capabilities: {} });
  Object.assign(client, {
    onerror(error: Error) {
      if (!isDone) end(error instanceof ToolProblem ? error : new ToolProblem('nonsense', error));
    },
  });
  const options = { timeout: limits.timeLimitMs, signal };
  try {
    await ended(client.connect(transport, options), signal);
    return await ended(errand(client, options), signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof ToolProblem ? error : new ToolProblem(nameOf(error), error);
  } finally {
    isDone = true;
    clearTimeout(timer);
    limits.stopped?.removeEventListener('abort', onStopped);
    over.abort(new ToolProblem('stopped'));
    await client.close().catch(() => undefined);
  }
}

/** What the library may never settle ends with the signal. */
async function ended<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function nameOf(error: unknown): 'unreachable' | 'nonsense' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // The library's own errors of HTTP carry the status.
  return typeof code === 'number' && code >= 300 && code < 600 ? 'unreachable' : 'nonsense';
}
