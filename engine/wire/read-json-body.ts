import type { IncomingMessage } from 'node:http';
import { Refusal } from '#vocabulary/refusal';
import { isObject } from './read-field.ts';
import type { JsonObject } from './read-field.ts';

/** Far beyond any context; the gateway's own limit is lower. */
const maxBodyBytes = 32 * 1024 * 1024;

export async function readJsonBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) {
      throw new Refusal('request_too_large', `The body may have at most ${maxBodyBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  const body = parse(Buffer.concat(chunks).toString('utf8'));
  if (!isObject(body)) throw new Refusal('invalid_json', 'The body must be a JSON object.');
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal('invalid_json', 'The body is not valid JSON.', { cause });
  }
}
