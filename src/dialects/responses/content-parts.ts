import { isObject, type JsonObject } from '#dialects/json-object';
import { shown, unsupported, wrong } from './wrong.ts';

/** The content of a chat message: one text where it is text only, as every template can read it. */
export function readContent(content: unknown, at: string): string | readonly JsonObject[] {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw wrong(at, `"${at}" must be a text or a list of parts.`);
  const parts = content.map((part: unknown, index) => readPart(part, `${at}[${index}]`));
  return parts.every((part) => typeof part === 'string')
    ? parts.join('\n')
    : parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part));
}

function readPart(part: unknown, at: string): string | JsonObject {
  if (!isObject(part)) throw wrong(at, `"${at}" must be an object.`);
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return textOf(part.text, at);
    case 'refusal':
      return textOf(part.refusal, at);
    case 'input_image':
      return readImage(part, at);
    default:
      throw unsupported(
        at,
        `"${at}" is of the type ${shown(part.type)}. Models here understand input_text and input_image.`,
      );
  }
}

function readImage(part: JsonObject, at: string): JsonObject {
  if (typeof part.image_url !== 'string')
    throw wrong(at, `"${at}" needs an "image_url" with the image as a data: URL. No files are kept here.`);
  const detail = typeof part.detail === 'string' ? { detail: part.detail } : {};
  return { type: 'image_url', image_url: { url: part.image_url, ...detail } };
}

function textOf(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw wrong(at, `"${at}" needs a text.`);
}
