import { open } from 'node:fs/promises';
import { UnsoundGguf } from './unsound-gguf.ts';
import { type GgufContents, HeaderIsLonger, parseGguf } from './parse-gguf.ts';
import { tensorType } from './gguf-types.ts';

export interface GgufHeader extends GgufContents {
  readonly fileBytes: number;
  readonly parameters: number;
  /** Undefined when the file uses a tensor type this program does not know. */
  readonly weightBytes: number | undefined;
  /** The tensor type that holds most of the parameters. */
  readonly mainTensorType: string;
}

/**
 * Reads what a GGUF file says about itself without touching the weights, and makes sure the file is as long as
 * its header promises. Throws UnsoundGguf with half a sentence ("it is …") for the caller to complete.
 */
export async function readGgufHeader(path: string): Promise<GgufHeader> {
  await using file = await open(path, 'r');
  const stats = await file.stat();
  if (!stats.isFile()) throw new UnsoundGguf('it is not a file');
  for (let wanted = firstReadBytes; ; wanted *= 4) {
    const bytes = Buffer.alloc(Math.min(wanted, stats.size, maxHeaderBytes));
    await readFully(file, bytes);
    try {
      return measure(parseGguf(bytes), stats.size);
    } catch (error) {
      if (!(error instanceof HeaderIsLonger)) throw error;
      if (bytes.length >= stats.size) throw new UnsoundGguf('it ends inside its header', error);
      if (bytes.length >= maxHeaderBytes) throw new UnsoundGguf('its header never ends', error);
    }
  }
}

const firstReadBytes = 1024 * 1024;
const maxHeaderBytes = 256 * 1024 * 1024;

async function readFully(file: Awaited<ReturnType<typeof open>>, target: Buffer): Promise<void> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await file.read(target, filled, target.length - filled, filled);
    if (bytesRead === 0) throw new UnsoundGguf('it became shorter while it was read');
    filled += bytesRead;
  }
}

function measure(contents: GgufContents, fileBytes: number): GgufHeader {
  let parameters = 0;
  let weightBytes: number | undefined = 0;
  let endOfData = 0;
  const parametersByType = new Map<number, number>();
  for (const { type, elements, offset } of contents.tensors) {
    parameters += elements;
    parametersByType.set(type, (parametersByType.get(type) ?? 0) + elements);
    const known = tensorType(type);
    const bytes = known === undefined ? undefined : (elements / known.blockElements) * known.blockBytes;
    weightBytes = weightBytes === undefined || bytes === undefined ? undefined : weightBytes + bytes;
    endOfData = Math.max(endOfData, offset + (bytes ?? 0));
  }
  const promisedBytes = contents.tensors.length === 0 ? 0 : contents.dataStart + endOfData;
  if (fileBytes < promisedBytes)
    throw new UnsoundGguf(`it holds ${fileBytes} bytes of the ${promisedBytes} its header promises`);
  const [mainType] = [...parametersByType].sort((left, right) => right[1] - left[1])[0] ?? [];
  const mainTensorType = mainType === undefined ? 'none' : (tensorType(mainType)?.name ?? `type ${mainType}`);
  return { ...contents, fileBytes, parameters, weightBytes, mainTensorType };
}
