import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Refusal } from '#vocabulary/refusal';
import { mostBodyBytes } from './context-limit.ts';
import { createEndpoints, type EndpointParts } from './endpoints.ts';
import { createEngineReply } from './engine-reply.ts';
import { readJsonBody } from './read-json-body.ts';

/** HTTP for the gateway and for people who run the engine alone. Every path works with and without `/v1`. */
export function createEngineServer(parts: EndpointParts): Server {
  const endpoints = createEndpoints(parts);
  const { facts, tokenizer } = parts.model;
  const maxBodyBytes = mostBodyBytes(facts.contextTokens, tokenizer.longestTokenBytes);
  const server = createServer({ keepAliveTimeout: 75_000, noDelay: true }, (request, response) => {
    void serve(request, response);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;

  /** Never throws. */
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = createEngineReply(response, requestIdOf(request));
    try {
      const path = pathOf(request.url ?? '/');
      const get = endpoints.get(path);
      const post = endpoints.post(path);
      if (get !== undefined && (request.method === 'GET' || request.method === 'HEAD')) get(reply);
      else if (post !== undefined && request.method === 'POST')
        await post(await readJsonBody(request, maxBodyBytes), reply);
      else if (get !== undefined || post !== undefined) {
        const allowed = get === undefined ? 'POST' : 'GET';
        throw new Refusal('method_not_allowed', `Use ${allowed} for ${path}.`, {
          headers: { allow: allowed },
        });
      } else {
        throw new Refusal(
          'not_found',
          `The engine has no ${path}. It serves /v1/chat/completions and others.`,
        );
      }
    } catch (error) {
      if (!(error instanceof Refusal)) parts.logger.error({ error }, 'a request failed');
      request.resume();
      reply.refuse(error);
    }
  }
}

function pathOf(url: string): string {
  const path = `/${url.split('?', 1)[0] ?? ''}`.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return path.startsWith('/v1/') ? path.slice(3) : path;
}

/** The gateway's request id becomes part of the answer's id, so that one name leads through all logs. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)
    ? given
    : randomUUID().replaceAll('-', '');
}
