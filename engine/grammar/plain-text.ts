import { isUtf8 } from 'node:buffer';
import type { MachineState } from './machine.ts';

/** Whole UTF-8 characters that a JSON string carries as they are. */
export function isPlainText(text: Uint8Array): boolean {
  for (const byte of text) if (byte < 0x20 || byte === 0x22 || byte === 0x5c) return false;
  return isUtf8(text);
}

/** Whether every plain character leads back to this very state, so that every plain token is allowed. */
export function repeatsOnPlainText(state: MachineState): boolean {
  if (state.step(0x61) !== state) return false;
  for (let byte = 0x20; byte < 0x80; byte += 1) {
    if (byte !== 0x22 && byte !== 0x5c && state.step(byte) !== state) return false;
  }
  return wellFormedSequences.every((ranges) => {
    let reached = new Set([state]);
    for (const [from, to] of ranges) {
      const next = new Set<MachineState>();
      for (const current of reached) {
        for (let byte = from; byte <= to; byte += 1) {
          const after = current.step(byte);
          if (after === undefined) return false;
          next.add(after);
        }
      }
      reached = next;
    }
    return reached.size === 1 && reached.has(state);
  });
}

type ByteRange = readonly [from: number, to: number];
const continuation: ByteRange = [0x80, 0xbf];

/** The multi-byte sequences of Unicode's table 3-7: no overlong forms, no surrogates, nothing past U+10FFFF. */
export const wellFormedSequences: readonly (readonly ByteRange[])[] = [
  [[0xc2, 0xdf], continuation],
  [[0xe0, 0xe0], [0xa0, 0xbf], continuation],
  [[0xe1, 0xec], continuation, continuation],
  [[0xed, 0xed], [0x80, 0x9f], continuation],
  [[0xee, 0xef], continuation, continuation],
  [[0xf0, 0xf0], [0x90, 0xbf], continuation, continuation],
  [[0xf1, 0xf3], continuation, continuation, continuation],
  [[0xf4, 0xf4], [0x80, 0x8f], continuation, continuation],
];
