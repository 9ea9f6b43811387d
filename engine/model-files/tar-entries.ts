import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorProblem } from '#vocabulary/operator-problem';

export interface TarEntry {
  /** As written in the archive: data, not a path to be used. */
  readonly name: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** To be read before the next entry is asked for; what is left is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

/** The plain files of a `.tgz`, in order and without unpacking anything. Links and devices are left out. */
export async function* tarEntries(path: string): AsyncGenerator<TarEntry> {
  const gunzip = createGunzip();
  pipeline(createReadStream(path), gunzip, () => {});
  const reader = createBlockReader(gunzip);
  let longName: string | undefined;
  for (;;) {
    const header = await reader.take(blockBytes);
    if (header === undefined || header.every((byte) => byte === 0)) return;
    const bytes = readOctal(header.subarray(124, 136));
    const type = String.fromCharCode(header[156] ?? 0);
    const padding = (blockBytes - (bytes % blockBytes)) % blockBytes;
    if (type === 'x' || type === 'L') {
      if (bytes > maxNameBytes) throw broken();
      const text = (await reader.take(bytes))?.toString('utf8') ?? '';
      longName = type === 'L' ? text.replace(/\0+$/, '') : /^\d+ path=(.*)$/m.exec(text)?.[1];
      await reader.take(padding);
      continue;
    }
    const name = longName ?? plainName(header);
    longName = undefined;
    let left = bytes;
    const content = async function* () {
      while (left > 0) {
        const chunk = await reader.takeSome(left);
        left -= chunk.length;
        yield chunk;
      }
    };
    if (type === '0' || type === '\0')
      yield {
        name,
        bytes,
        isExecutable: (readOctal(header.subarray(100, 108)) & 0o111) !== 0,
        content: content(),
      };
    while (left > 0) left -= (await reader.takeSome(left)).length;
    await reader.take(padding);
  }
}

const blockBytes = 512;
const maxNameBytes = 65_536;

function createBlockReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  const refill = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done === true) return false;
      rest = next.value;
    }
    return true;
  };
  const takeSome = async (atMost: number): Promise<Buffer> => {
    if (!(await refill())) throw broken();
    const taken = rest.subarray(0, atMost);
    rest = rest.subarray(taken.length);
    return taken;
  };
  /** Undefined at the clean end of the archive. */
  const take = async (count: number): Promise<Buffer | undefined> => {
    if (count === 0) return Buffer.alloc(0);
    if (!(await refill())) return undefined;
    const parts: Buffer[] = [];
    for (let missing = count; missing > 0;) {
      const part = await takeSome(missing);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  };
  return { take, takeSome };
}

function plainName(header: Buffer): string {
  const name = readText(header.subarray(0, 100));
  const prefix =
    header.subarray(257, 262).toString('latin1') === 'ustar' ? readText(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readText(field: Buffer): string {
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? field.length : end).toString('utf8');
}

/** Sizes past 8 GB are written in base 256, marked by the highest bit. */
function readOctal(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = Number(field.readBigUInt64BE(field.length - 8));
    if (!Number.isSafeInteger(value)) throw broken();
    return value;
  }
  const value = Number.parseInt(readText(field).trim() || '0', 8);
  if (Number.isNaN(value)) throw broken();
  return value;
}

function broken(): OperatorProblem {
  return new OperatorProblem(
    'The package is broken: its archive ends too early or makes no sense. Try again.',
  );
}
