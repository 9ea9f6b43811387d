import { UnsoundGguf } from './unsound-gguf.ts';

export type GgufValue = string | number | boolean | readonly GgufScalar[] | GgufArraySize;
type GgufScalar = string | number | boolean;

/** Long lists (vocabularies) are counted, not kept. */
export interface GgufArraySize {
  readonly length: number;
}

export interface GgufTensor {
  readonly type: number;
  readonly elements: number;
  readonly offset: number;
}

export interface GgufContents {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: readonly GgufTensor[];
  /** Where the weights begin in the file. */
  readonly dataStart: number;
}

/** The bytes given end before the header does: read more of the file and parse again. */
export class HeaderIsLonger extends Error {}

/** Model files are untrusted: every count is bounded before anything is sized by it. */
export function parseGguf(bytes: Buffer): GgufContents {
  const reader = createReader(bytes);
  if (reader.bytes(4).toString('latin1') !== 'GGUF') throw new UnsoundGguf('it is not a GGUF file');
  const version = reader.u32();
  if (version < 2 || version > 3)
    throw new UnsoundGguf(`it is GGUF version ${version}; versions 2 and 3 are understood`);
  const tensorCount = bounded(reader.u64(), maxTensors, 'tensors');
  const entryCount = bounded(reader.u64(), maxEntries, 'metadata entries');

  const metadata = new Map<string, GgufValue>();
  for (let index = 0; index < entryCount; index++) {
    const key = reader.string(maxKeyBytes);
    metadata.set(key, readValue(reader, reader.u32()));
  }
  const tensors: GgufTensor[] = [];
  for (let index = 0; index < tensorCount; index++) tensors.push(readTensor(reader));

  const alignment = metadata.get('general.alignment') ?? 32;
  if (typeof alignment !== 'number' || alignment < 1 || alignment > 1 << 20)
    throw new UnsoundGguf('its header names an impossible alignment');
  return { version, metadata, tensors, dataStart: Math.ceil(reader.position() / alignment) * alignment };
}

const maxTensors = 1_000_000;
const maxEntries = 65_536;
const maxKeyBytes = 65_535;
const maxStringBytes = 64 * 1024 * 1024;
const maxArrayLength = 16_777_216;
const keptArrayLength = 1024;

const stringType = 8;
const arrayType = 9;

function readTensor(reader: Reader): GgufTensor {
  reader.string(maxKeyBytes);
  const dimensions = bounded(reader.u32(), 8, 'dimensions');
  let elements = 1;
  for (let index = 0; index < dimensions; index++) elements *= reader.u64();
  if (!Number.isSafeInteger(elements)) throw new UnsoundGguf('its header names an impossible tensor');
  return { type: reader.u32(), elements, offset: reader.u64() };
}

function readValue(reader: Reader, type: number): GgufValue {
  if (type !== arrayType) return readScalar(reader, type);
  const itemType = reader.u32();
  const length = bounded(reader.u64(), maxArrayLength, 'list items');
  if (itemType === arrayType) throw new UnsoundGguf('its header nests lists in lists');
  const kept: GgufScalar[] = [];
  for (let index = 0; index < length; index++) {
    if (length > keptArrayLength && itemType === stringType) reader.skipString();
    else {
      const item = readScalar(reader, itemType);
      if (length <= keptArrayLength) kept.push(item);
    }
  }
  return length <= keptArrayLength ? kept : { length };
}

function readScalar(reader: Reader, type: number): GgufScalar {
  switch (type) {
    case 0:
      return reader.bytes(1).readUInt8();
    case 1:
      return reader.bytes(1).readInt8();
    case 2:
      return reader.bytes(2).readUInt16LE();
    case 3:
      return reader.bytes(2).readInt16LE();
    case 4:
      return reader.u32();
    case 5:
      return reader.bytes(4).readInt32LE();
    case 6:
      return reader.bytes(4).readFloatLE();
    case 7:
      return reader.bytes(1).readUInt8() !== 0;
    case stringType:
      return reader.string(maxStringBytes);
    case 10:
      return Number(reader.bytes(8).readBigUInt64LE());
    case 11:
      return Number(reader.bytes(8).readBigInt64LE());
    case 12:
      return reader.bytes(8).readDoubleLE();
    default:
      throw new UnsoundGguf(`its header holds a value of unknown type ${type}`);
  }
}

type Reader = ReturnType<typeof createReader>;

function createReader(source: Buffer) {
  let position = 0;
  const bytes = (count: number): Buffer => {
    const end = position + count;
    if (end > source.length) throw new HeaderIsLonger();
    const view = source.subarray(position, end);
    position = end;
    return view;
  };
  const u32 = () => bytes(4).readUInt32LE();
  const u64 = (): number => {
    const value = Number(bytes(8).readBigUInt64LE());
    if (!Number.isSafeInteger(value)) throw new UnsoundGguf('its header holds an impossible number');
    return value;
  };
  const string = (limit: number) => bytes(bounded(u64(), limit, 'bytes in a name')).toString('utf8');
  const skipString = () => void bytes(bounded(u64(), maxStringBytes, 'bytes in a name'));
  return { bytes, u32, u64, string, skipString, position: () => position };
}

function bounded(count: number, limit: number, what: string): number {
  if (count > limit) throw new UnsoundGguf(`its header claims ${count} ${what}, more than ${limit}`);
  return count;
}
