import { writeFileSync } from 'node:fs';

/** A sound GGUF file of a few hundred bytes: enough header to be inspected, one small tensor of zeros. */
export function tinyGguf(metadata: Readonly<Record<string, string | number>> = {}): Buffer {
  const entries = Object.entries({ 'general.architecture': 'llama', 'general.name': 'Tiny', ...metadata });
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(1),
    u64(entries.length),
    ...entries.flatMap(([key, value]) =>
      typeof value === 'string' ? [text(key), u32(8), text(value)] : [text(key), u32(4), u32(value)],
    ),
    text('token_embd.weight'),
    u32(2),
    u64(32),
    u64(4),
    u32(0),
    u64(0),
  ]);
  const padding = Buffer.alloc((32 - (header.length % 32)) % 32);
  return Buffer.concat([header, padding, Buffer.alloc(32 * 4 * 4)]);
}

export function writeTinyGguf(path: string): string {
  writeFileSync(path, tinyGguf());
  return path;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}
