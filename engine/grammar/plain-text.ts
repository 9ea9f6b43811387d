import { isUtf8 } from 'node:buffer';

/** Whole UTF-8 characters that a JSON string carries as they are. */
export function isPlainText(text: Uint8Array): boolean {
  for (const byte of text) if (byte < 0x20 || byte === 0x22 || byte === 0x5c) return false;
  return isUtf8(text);
}
