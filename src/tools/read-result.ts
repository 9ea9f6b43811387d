import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolOutcome } from '#vocabulary/tools';
import { plainText } from './plain-text.ts';

type Part = CallToolResult['content'][number];

/** The text of a result, as much of it as the limit lets through. Pictures and sound are named, never taken. */
export function readResult(
  { content, structuredContent, isError }: CallToolResult,
  maxBytes: number,
): ToolOutcome {
  const written = content.map(textOf).join('\n\n');
  const whole =
    written === '' && structuredContent !== undefined ? JSON.stringify(structuredContent, null, 2) : written;
  const { text, isCut } = cutBytes(plainText(whole), maxBytes);
  return { kind: 'answered', text, isError: isError === true, isCut };
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'resource':
      return 'text' in part.resource ? part.resource.text : '[A file was returned. Only text is taken.]';
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`;
    case 'image':
    case 'audio':
      return `[${part.type === 'image' ? 'A picture' : 'Sound'} was returned. Only text is taken.]`;
  }
}

/** Cut where a character ends. */
function cutBytes(text: string, maxBytes: number): { readonly text: string; readonly isCut: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, isCut: false };
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: bytes.toString('utf8', 0, end), isCut: true };
}
