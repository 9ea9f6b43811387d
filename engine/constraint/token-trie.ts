import { isPlainText } from '../grammar/plain-text.ts';

/** A byte trie flattened in depth-first order: node n's branch is the nodes from n to branchEnd[n]. */
export interface TokenTrie {
  readonly nodeCount: number;
  readonly byteOf: Uint8Array;
  /** 0 for first bytes. */
  readonly depthOf: Uint16Array;
  readonly branchEnd: Uint32Array;
  /** The tokens that end at node n are tokenIds[tokensFrom[n]] up to tokenIds[tokensFrom[n + 1]]. */
  readonly tokensFrom: Uint32Array;
  readonly tokenIds: Uint32Array;
  /** 1 where all tokens of node n's branch go on behind it with whole plain characters only. */
  readonly goesOnPlainly: Uint8Array;
}

/** `ids` name the tokens to include; their bytes are present and not empty. */
export function createTokenTrie(
  tokenBytes: readonly (Uint8Array | undefined)[],
  ids: readonly number[],
): TokenTrie {
  const empty = new Uint8Array();
  const sorted = ids
    .map((id) => ({ id, text: tokenBytes[id] ?? empty }))
    .sort((one, other) => Buffer.compare(one.text, other.text) || one.id - other.id);
  const nodeCount = countNodes(sorted.map((token) => token.text));
  const byteOf = new Uint8Array(nodeCount);
  const depthOf = new Uint16Array(nodeCount);
  const branchEnd = new Uint32Array(nodeCount).fill(nodeCount);
  const tokensFrom = new Uint32Array(nodeCount + 1);
  const goesOnPlainly = new Uint8Array(nodeCount).fill(1);
  const path: number[] = [];
  let node = 0;
  let previous: Uint8Array = empty;
  for (const [index, { text }] of sorted.entries()) {
    const common = commonPrefix(previous, text);
    for (const closed of path.splice(common)) branchEnd[closed] = node;
    for (let depth = common; depth < text.length; depth += 1) {
      byteOf[node] = text[depth] ?? 0;
      depthOf[node] = depth;
      tokensFrom[node] = index;
      path.push(node);
      node += 1;
    }
    tokensFrom[node] = index + 1;
    for (const [depth, at] of path.entries())
      if (goesOnPlainly[at] === 1 && !isPlainText(text.subarray(depth + 1))) goesOnPlainly[at] = 0;
    previous = text;
  }
  return {
    goesOnPlainly,
    nodeCount,
    byteOf,
    depthOf,
    branchEnd,
    tokensFrom,
    tokenIds: Uint32Array.from(sorted, (token) => token.id),
  };
}

function countNodes(sortedTexts: readonly Uint8Array[]): number {
  let count = 0;
  let previous: Uint8Array = new Uint8Array();
  for (const text of sortedTexts) {
    count += text.length - commonPrefix(previous, text);
    previous = text;
  }
  return count;
}

function commonPrefix(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  let common = 0;
  while (common < length && one[common] === other[common]) common += 1;
  return common;
}
