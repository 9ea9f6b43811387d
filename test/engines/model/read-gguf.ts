import { readFileSync } from 'node:fs';

export type GgufScalar = string | number | boolean;

/** A whole model file in memory, vocabulary and weights included. For small, trusted files only. */
export interface Gguf {
  /** Throws when the file does not say. */
  number(key: string): number;
  text(key: string): string;
  list(key: string): readonly GgufScalar[];
  readonly tensors: readonly GgufTensor[];
}

export interface GgufTensor {
  readonly name: string;
  /** Outermost dimension first, the other way round than in the file. */
  readonly shape: readonly number[];
  weights(): Float32Array;
}

export function readGguf(path: string): Gguf {
  const file = readFileSync(path);
  const reader = new Reader(file);
  if (reader.bytes(4).toString('latin1') !== 'GGUF') throw new Error(`${path} is not a GGUF file`);
  reader.u32();
  const tensorCount = reader.u64();
  const entryCount = reader.u64();
  const metadata = new Map<string, GgufScalar | readonly GgufScalar[]>();
  for (let index = 0; index < entryCount; index++) metadata.set(reader.text(), reader.value(reader.u32()));
  const headers = Array.from({ length: tensorCount }, () => ({
    name: reader.text(),
    shape: Array.from({ length: reader.u32() }, () => reader.u64()).toReversed(),
    type: reader.u32(),
    offset: reader.u64(),
  }));
  const dataStart = Math.ceil(reader.position / alignment) * alignment;
  const find = (key: string): unknown => {
    const value = metadata.get(key);
    if (value === undefined) throw new Error(`${path} says nothing under ${key}`);
    return value;
  };
  return {
    number: (key) => Number(find(key)),
    text: (key) => String(find(key)),
    list: (key) => find(key) as readonly GgufScalar[],
    tensors: headers.map(({ name, shape, type, offset }) => ({
      name,
      shape,
      weights: () => {
        const elements = shape.reduce((product, size) => product * size, 1);
        return decode(file.subarray(dataStart + offset), type, elements, name);
      },
    })),
  };
}

const alignment = 32;
const blockElements = 32;
const blockBytes = 34;

/** F32 as it is; Q8_0 as one half-precision factor for each 32 signed bytes. */
function decode(bytes: Buffer, type: number, elements: number, name: string): Float32Array {
  const weights = new Float32Array(elements);
  if (type === 0) {
    for (let index = 0; index < elements; index++) weights[index] = bytes.readFloatLE(index * 4);
    return weights;
  }
  if (type !== 8) throw new Error(`${name} is of tensor type ${type}; only F32 and Q8_0 are understood`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let block = 0; block < elements / blockElements; block++) {
    const factor = view.getFloat16(block * blockBytes, true);
    for (let index = 0; index < blockElements; index++)
      weights[block * blockElements + index] = factor * view.getInt8(block * blockBytes + 2 + index);
  }
  return weights;
}

class Reader {
  readonly #source: Buffer;
  position = 0;

  constructor(source: Buffer) {
    this.#source = source;
  }

  bytes(count: number): Buffer {
    this.position += count;
    return this.#source.subarray(this.position - count, this.position);
  }

  u32 = () => this.bytes(4).readUInt32LE();
  u64 = () => Number(this.bytes(8).readBigUInt64LE());
  text = () => this.bytes(this.u64()).toString('utf8');

  value(type: number): GgufScalar | readonly GgufScalar[] {
    if (type !== 9) return this.#scalar(type);
    const itemType = this.u32();
    return Array.from({ length: this.u64() }, () => this.#scalar(itemType));
  }

  #scalar(type: number): GgufScalar {
    switch (type) {
      case 4:
        return this.u32();
      case 5:
        return this.bytes(4).readInt32LE();
      case 6:
        return this.bytes(4).readFloatLE();
      case 7:
        return this.bytes(1).readUInt8() !== 0;
      case 8:
        return this.text();
      case 10:
        return this.u64();
      default:
        throw new Error(`a value of type ${type} is not understood`);
    }
  }
}
