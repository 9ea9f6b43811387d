import type { IncomingMessage } from 'node:http';
import { Refusal } from '#vocabulary/refusal';
import { isObject, type JsonObject } from '../json-object.ts';

export async function readJsonBody(request: IncomingMessage, maxBodyBytes: number): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A connection whose request was refused half-way is still good for the next one.
  const incoming = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) {
      throw new Refusal(
        'context_length_exceeded',
        `The body has more than ${maxBodyBytes} bytes. A prompt that fits into this model's maximum context length has fewer: shorten it.`,
      );
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
