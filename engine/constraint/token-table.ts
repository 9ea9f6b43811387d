import type { Glance, MachineState } from '../grammar/machine.ts';
import { isPlainText } from '../grammar/plain-text.ts';
import { createTokenTrie, type TokenTrie } from './token-trie.ts';

/** The vocabulary, arranged so that the tokens a state allows are found in one walk. Holds the masks it made. */
export interface TokenTable {
  readonly tokenCount: number;
  /** Undefined for tokens without a text. */
  readonly tokenBytes: readonly (Uint8Array | undefined)[];
  readonly longestTokenBytes: number;
  readonly allTokens: TokenTrie;
  /** Tokens of whole characters that need no escape inside a JSON string: one ready mask for free text. */
  readonly plainMask: Uint32Array;
  readonly otherTokens: TokenTrie;
  /** Masks per constraint, freed together with it. */
  readonly masks: WeakMap<object, KnownMasks>;
  readonly maxMasksPerConstraint: number;
}

interface KnownMasks {
  readonly byState: Map<number, AllowedTokens>;
  /** States that were met once, and have no mask yet. */
  readonly met: Set<number>;
}

/** The tokens allowed next. Shared between generations: read only. */
export interface AllowedTokens {
  /** One bit per token id, 32 to a word, lowest bit first. */
  readonly bits: Uint32Array;
  readonly count: number;
  has(tokenId: number): boolean;
  forEach(visit: (tokenId: number) => void): void;
}

/** So many of the likeliest tokens are looked at to choose one, nearly always. */
const askedOneByOne = 256;
/** Mask memory per constraint and vocabulary; when full, the mask unused for longest goes. */
const maxMaskBytesPerConstraint = 4 * 1024 * 1024;

export function createTokenTable(tokenBytes: readonly (Uint8Array | undefined)[]): TokenTable {
  const all: number[] = [];
  const others: number[] = [];
  const plainMask = new Uint32Array(Math.ceil(tokenBytes.length / 32));
  let longestTokenBytes = 0;
  for (const [id, text] of tokenBytes.entries()) {
    if (text === undefined || text.length === 0) continue;
    all.push(id);
    longestTokenBytes = Math.max(longestTokenBytes, text.length);
    if (isPlainText(text)) mark(plainMask, id);
    else others.push(id);
  }
  const maskBytes = plainMask.byteLength + 64;
  return {
    tokenCount: tokenBytes.length,
    tokenBytes,
    longestTokenBytes,
    allTokens: createTokenTrie(tokenBytes, all),
    plainMask,
    otherTokens: createTokenTrie(tokenBytes, others),
    masks: new WeakMap(),
    maxMasksPerConstraint: Math.min(2_048, Math.max(64, Math.floor(maxMaskBytesPerConstraint / maskBytes))),
  };
}

/**
 * Whether a token may come next. Of a state that is met for the first time no mask is made while few are asked about:
 * where something is remembered, as in lists without repetition, hardly a state comes twice, and each mask is a walk
 * through the whole vocabulary while everybody waits.
 */
export function tokenTestFor(state: MachineState, table: TokenTable): (tokenId: number) => boolean {
  const { byState, met } = knownMasks(state, table);
  const seen = state.horizon(table.longestTokenBytes);
  if (byState.has(seen.key) || met.delete(seen.key)) return allowedTokensFor(state, table).has;
  if (met.size >= maxStatesMet) met.clear();
  met.add(seen.key);
  let asked = 0;
  let allowed: AllowedTokens | undefined;
  return (tokenId) => {
    if (asked++ < askedOneByOne) return takes(seen, table.tokenBytes[tokenId]);
    allowed ??= allowedTokensFor(state, table);
    return allowed.has(tokenId);
  };
}

const maxStatesMet = 10_000;

function takes(state: MachineState, bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined || bytes.length === 0) return false;
  let at: Glance | undefined = state;
  for (const byte of bytes) {
    at = at.glance.step(byte);
    if (at === undefined) return false;
  }
  return true;
}

export function allowedTokensFor(state: MachineState, table: TokenTable): AllowedTokens {
  const { byState } = knownMasks(state, table);
  const seen = state.horizon(table.longestTokenBytes);
  let allowed = byState.get(seen.key);
  if (allowed === undefined) allowed = computeAllowed(seen, table);
  else byState.delete(seen.key);
  byState.set(seen.key, allowed);
  if (byState.size > table.maxMasksPerConstraint) {
    const [oldest] = byState.keys();
    if (oldest !== undefined) byState.delete(oldest);
  }
  return allowed;
}

function knownMasks({ owner }: MachineState, { masks }: TokenTable): KnownMasks {
  let known = masks.get(owner);
  if (known === undefined) {
    known = { byState: new Map(), met: new Set() };
    masks.set(owner, known);
  }
  return known;
}

function computeAllowed(state: MachineState, table: TokenTable): AllowedTokens {
  const isFreeText = state.takesPlainText;
  const bits = isFreeText ? table.plainMask.slice() : new Uint32Array(table.plainMask.length);
  walk(state, isFreeText ? table.otherTokens : table.allTokens, bits);
  return {
    bits,
    count: countBits(bits),
    has: (tokenId) => ((bits[tokenId >>> 5] ?? 0) & (1 << (tokenId & 31))) !== 0,
    forEach: (visit) => {
      for (const [index, word] of bits.entries()) {
        for (let rest = word; rest !== 0; rest &= rest - 1) visit(index * 32 + 31 - Math.clz32(rest & -rest));
      }
    },
  };
}

/**
 * Depth first over the trie with the state of every depth at hand; a refused byte skips its whole branch, and a
 * branch of plain characters inside free text is taken whole.
 */
function walk(from: MachineState, trie: TokenTrie, bits: Uint32Array): void {
  const { nodeCount, byteOf, depthOf, branchEnd, tokensFrom, tokenIds, goesOnPlainly } = trie;
  const states: Glance[] = [from.glance];
  for (let node = 0; node < nodeCount;) {
    const depth = depthOf[node] ?? 0;
    const next = states[depth]?.step(byteOf[node] ?? 0);
    if (next === undefined) {
      node = branchEnd[node] ?? nodeCount;
      continue;
    }
    states[depth + 1] = next.glance;
    const isTaken = goesOnPlainly[node] === 1 && next.takesPlainText;
    const after = isTaken ? (branchEnd[node] ?? nodeCount) : node + 1;
    const end = tokensFrom[after] ?? 0;
    for (let index = tokensFrom[node] ?? end; index < end; index += 1) mark(bits, tokenIds[index] ?? 0);
    node = after;
  }
}

function mark(bits: Uint32Array, id: number): void {
  bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31));
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let word of bits) {
    for (; word !== 0; word &= word - 1) count += 1;
  }
  return count;
}
