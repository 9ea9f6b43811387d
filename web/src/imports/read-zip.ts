const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const stored = 0;
const deflated = 8;
/** More than anybody has written; less than a bomb. */
const maxUnpackedBytes = 1024 ** 3;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** The texts of all files in an archive whose names fit. Throws when it cannot be read. */
export async function readZip(file: Blob, isWanted: (name: string) => boolean): Promise<readonly string[]> {
  const directory = await readDirectory(file);
  const texts: string[] = [];
  for (const entry of directory.filter(({ name }) => isWanted(name))) {
    const head = await viewOf(file, entry.offset, entry.offset + 30);
    const from = entry.offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
    const packed = file.slice(from, from + entry.packedBytes);
    if (entry.method !== stored && entry.method !== deflated) throw new Error('an unknown kind of packing');
    const stream = packed.stream();
    texts.push(
      await readText(
        entry.method === stored ? stream : stream.pipeThrough(new DecompressionStream('deflate-raw')),
      ),
    );
  }
  return texts;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly offset: number;
}

/** At the end of the file, in front of a comment of any length. */
async function readDirectory(file: Blob): Promise<readonly Entry[]> {
  const tailAt = Math.max(0, file.size - 65_557);
  const tail = await viewOf(file, tailAt, file.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== endMark) end -= 1;
  if (end < 0) throw new Error('no directory');
  const count = tail.getUint16(end + 10, true);
  const at = tail.getUint32(end + 16, true);
  const view = await viewOf(file, at, at + tail.getUint32(end + 12, true));
  const entries: Entry[] = [];
  for (let index = 0, offset = 0; index < count && offset + 46 <= view.byteLength; index += 1) {
    if (view.getUint32(offset, true) !== entryMark) throw new Error('a broken directory');
    const nameBytes = view.getUint16(offset + 28, true);
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + offset + 46, nameBytes)),
      method: view.getUint16(offset + 10, true),
      packedBytes: view.getUint32(offset + 20, true),
      offset: view.getUint32(offset + 42, true),
    });
    offset += 46 + nameBytes + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  return entries;
}

async function viewOf(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer());
}

async function readText(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const pieces: string[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length > maxUnpackedBytes) {
      await reader.cancel();
      throw new Error('too much');
    }
  }
  return pieces.join('');
}
