import type { ModelReference } from './model-reference.ts';

/** Large models come as `name-00001-of-00004.gguf` and so on; the first one stands for all. */
const shardShape = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/;

/** All files a model consists of, given its first. */
export function shardPaths(path: string): readonly string[] {
  const [, stem, number, count] = shardShape.exec(path) ?? [];
  if (number !== '00001' || count === undefined || Number(count) > maxShards) return [path];
  return Array.from(
    { length: Number(count) },
    (_, index) => `${stem}-${String(index + 1).padStart(5, '0')}-of-${count}.gguf`,
  );
}

export function isLaterShard(name: string): boolean {
  const number = shardShape.exec(name)?.[2];
  return number !== undefined && number !== '00001';
}

/** The references of all shards, given that of the first. */
export function shardReferences(reference: ModelReference): readonly ModelReference[] {
  switch (reference.kind) {
    case 'hub':
      return shardPaths(reference.file).map((file) => ({ ...reference, file }));
    case 'web':
      return shardPaths(reference.url.pathname).map((pathname) => {
        const url = new URL(reference.url);
        url.pathname = pathname;
        return { kind: 'web', url };
      });
    case 'file':
      return shardPaths(reference.path).map((path) => ({ kind: 'file', path }));
    default:
      return [reference];
  }
}

const maxShards = 200;
