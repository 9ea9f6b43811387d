import { isObject, type JsonObject } from '#dialects/json-object';
import { notOffered, requireObject, requireText, shown, wrong } from './wrong-message.ts';

/** A part of a chat message. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** What a user shows: text, pictures, and documents and search results that are text. */
export function readParts(block: JsonObject, param: string): ChatPart[] {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: requireText(block['text'], `${param}.text`) }];
    case 'image':
      return [picture(requireObject(block['source'], `${param}.source`), param)];
    case 'document':
      return documentParts(block, param);
    case 'tool_reference':
      return [{ type: 'text', text: `The tool ${shown(block['tool_name'])} can be called now.` }];
    case 'search_result':
      return [titled(block, textOfBlocks(block['content'], `${param}.content`))];
    default:
      throw notOffered(
        `${param}.type`,
        `"${param}" is a block of type ${shown(block['type'])}, which this service does not offer. It takes "text", "image", "document" with text, "search_result", "tool_use" and "tool_result".`,
      );
  }
}

/** A text, or blocks that are all text. */
export function textOfBlocks(content: unknown, param: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw wrong(param, `"${param}" must be a text or a list of text blocks.`);
  return content
    .map((block: unknown, index) => {
      const at = `${param}[${index}]`;
      if (!isObject(block) || block['type'] !== 'text')
        throw wrong(at, `"${at}" must be a block such as {"type": "text", "text": "…"}.`);
      return requireText(block['text'], `${at}.text`);
    })
    .join('\n');
}

const pictureTypes: ReadonlySet<unknown> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function picture(source: JsonObject, param: string): ChatPart {
  if (source['type'] !== 'base64') throw notInside(source, param);
  const type = source['media_type'];
  if (!pictureTypes.has(type)) {
    const known = [...pictureTypes].join(', ');
    throw wrong(`${param}.source.media_type`, `"${param}.source.media_type" must be one of ${known}.`);
  }
  const data = requireText(source['data'], `${param}.source.data`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    throw wrong(`${param}.source.data`, `"${param}.source.data" must be base64.`);
  return { type: 'image_url', image_url: { url: `data:${String(type)};base64,${data}` } };
}

function documentParts(block: JsonObject, param: string): ChatPart[] {
  const source = requireObject(block['source'], `${param}.source`);
  switch (source['type']) {
    case 'text':
      return [titled(block, requireText(source['data'], `${param}.source.data`))];
    case 'content': {
      const { content } = source;
      if (typeof content === 'string') return [titled(block, content)];
      if (!Array.isArray(content))
        throw wrong(`${param}.source`, `"${param}.source.content" must be a list.`);
      return content.flatMap((inner: unknown, index) => {
        const at = `${param}.source.content[${index}]`;
        const part = requireObject(inner, at);
        // Not readParts: a document within a document has no end.
        return part['type'] === 'image'
          ? [picture(requireObject(part['source'], `${at}.source`), at)]
          : [{ type: 'text' as const, text: requireText(part['text'], `${at}.text`) }];
      });
    }
    default:
      throw notInside(source, param);
  }
}

function titled(block: JsonObject, text: string): ChatPart {
  const { title } = block;
  return { type: 'text', text: typeof title === 'string' && title !== '' ? `${title}\n\n${text}` : text };
}

function notInside(source: JsonObject, param: string): Error {
  if (source['type'] === 'url')
    return wrong(
      `${param}.source`,
      `Send media inside the request, with "source" of type "base64". This service never fetches an address a caller names ("${param}.source").`,
    );
  return notOffered(
    `${param}.source`,
    `"${param}.source" is of type ${shown(source['type'])}. This service takes pictures as "base64" and documents as "text".`,
  );
}
