import { isObject } from '#dialects/json-object';
import { EmbeddingFailure } from '#vocabulary/embedding';

const maxDimensions = 16_384;

/** The vectors in an engine's answer, in the order of the texts. Throws an `EmbeddingFailure` for anything else. */
export function readEmbeddings(status: number, text: string, count: number): readonly Float32Array[] {
  const answer = parse(text);
  if (status !== 200) throw refused(status, answer);
  const entries = isObject(answer) && Array.isArray(answer['data']) ? answer['data'] : [];
  const vectors: Float32Array[] = [];
  for (const [place, entry] of entries.entries()) {
    if (!isObject(entry)) throw nonsense();
    const index = Number(entry['index'] ?? place);
    const isPlace = Number.isInteger(index) && index >= 0 && index < count;
    if (!isPlace || vectors[index] !== undefined) throw nonsense();
    vectors[index] = readVector(entry['embedding']);
  }
  const length = vectors[0]?.length;
  const isWhole = entries.length === count && vectors.every((vector) => vector.length === length);
  if (!isWhole || length === undefined) throw nonsense();
  return vectors;
}

function readVector(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > maxDimensions) throw nonsense();
  const vector = Float32Array.from(numbers as number[]);
  if (!vector.every(Number.isFinite)) throw nonsense();
  return vector;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refused(status: number, answer: unknown): EmbeddingFailure {
  const error = isObject(answer) && isObject(answer['error']) ? answer['error'] : {};
  const message = typeof error['message'] === 'string' ? error['message'] : `It was answered ${status}.`;
  const code = typeof error['code'] === 'string' ? error['code'] : 'engine_failed';
  return new EmbeddingFailure(message, code, status === 400 || status === 413 || status === 422);
}

function nonsense(): EmbeddingFailure {
  return new EmbeddingFailure(
    'The engine answered with something other than vectors.',
    'engine_failed',
    false,
  );
}
