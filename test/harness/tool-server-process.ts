import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { ReceivedCall, ToolServerMessage } from './tool-server.ts';

/** An MCP server made with the library of the protocol, in a process of its own, some of whose tools misbehave. */
const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });
const word = { type: 'object' as const, properties: { word: { type: 'string' } }, required: ['word'] };
let description = 'Looks a word up.';
const calls: ReceivedCall[] = [];

const tools: Readonly<Record<string, (given: Record<string, unknown>) => Promise<CallToolResult>>> = {
  lookup: async ({ word }) => text(`${String(word)}: a yellow fruit of the old garden.`),
  slow: async () => {
    await pause(600_000);
    return text('too late');
  },
  long: async () => text('ä'.repeat(200_000)),
  huge: async () => text('x'.repeat(20_000_000)),
  hostile: async () =>
    text(
      '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202etxet\u0007 [a](javascript:1)',
    ),
  picture: async () => ({
    content: [
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
      { type: 'text', text: 'beside it' },
    ],
  }),
  sorry: async () => ({ ...text('There is no such shelf.'), isError: true }),
};

function createSession(headers: IncomingMessage['headers']): Server {
  const server = new Server({ name: 'library', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['lookup', 'slow', 'long', 'huge', 'hostile', 'picture', 'sorry', 'wrong', 'die', 'silent'].map(
      (name) => ({ name, description: name === 'lookup' ? description : `Does ${name}.`, inputSchema: word }),
    ),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls.push({ name: params.name, arguments: params.arguments ?? {}, secret: headers['x-library-key'] });
    const tool = tools[params.name];
    if (tool === undefined) throw new Error('no such tool');
    return tool(params.arguments ?? {});
  });
  return server;
}

/** What the library would not let a tool do. */
const misbehaviours: Readonly<Record<string, (response: ServerResponse, id: number | undefined) => void>> = {
  wrong(response, id) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: 'not a list' } }));
  },
  die(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: message\ndata: {"jsonrpc":"2.0",');
    setTimeout(() => response.destroy(), 50);
  },
  silent(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(': nothing to say\n\n');
  },
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const message = body === '' ? undefined : (JSON.parse(body) as { id?: number; params?: { name?: string } });
  const misbehave = misbehaviours[message?.params?.name ?? ''];
  if (misbehave !== undefined) {
    misbehave(response, message?.id);
    return;
  }
  const transport = new StreamableHTTPServerTransport({});
  response.on('close', () => void transport.close());
  await createSession(request.headers).connect(transport);
  await transport.handleRequest(request, response, message);
}

const http = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
process.on('message', (message: ToolServerMessage) => {
  if (message.kind === 'describe') ({ description } = message);
  process.send?.(calls);
});
http.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
);
