import type { Token } from 'marked';
import { completeTail } from './complete-tail.ts';
import { lexMarkdown } from './markdown-lexer.ts';

/**
 * A growing answer as a list of blocks. Finished blocks keep their identity, so that a renderer that memoises
 * by block never touches them again; only the text behind the last finished block is lexed anew.
 */
export interface MarkdownBlocks {
  readonly text: string;
  readonly finished: readonly MarkdownBlock[];
  readonly tail: readonly MarkdownBlock[];
}

export interface MarkdownBlock {
  /** Where the block begins in the text; stable, unique, a good React key. */
  readonly offset: number;
  readonly token: Token;
}

export const noBlocks: MarkdownBlocks = { text: '', finished: [], tail: [] };

/** `previous` may be of any text: when the new text does not continue it, everything is lexed again. */
export function growBlocks(previous: MarkdownBlocks, text: string, isComplete: boolean): MarkdownBlocks {
  if (isComplete) return { text, finished: wholeBlocks(text, previous.finished), tail: [] };
  const kept = text.startsWith(previous.text) ? previous.finished : [];
  const from = endOf(kept);
  const fresh = placeTokens(lexMarkdown(text.slice(from)), from);

  const lastVisible = fresh.findLastIndex(isVisible);
  const finished = fresh.slice(0, Math.max(lastVisible, 0));
  const newlyFinished = finished.filter(isVisible);
  const last = fresh[lastVisible];
  return {
    text,
    finished: newlyFinished.length === 0 ? kept : [...kept, ...newlyFinished],
    tail: last === undefined ? [] : [completed(last)],
  };
}

/**
 * Later text can change how earlier text reads (a reference, a table that only looked like one), so the end is
 * read as a whole once. Blocks that came out the same keep their identity and are not drawn again.
 */
function wholeBlocks(text: string, known: readonly MarkdownBlock[]): MarkdownBlock[] {
  const tokens = lexMarkdown(text);
  const blocks = placeTokens(tokens, 0);
  // A definition, be it deep in a list, makes links of what stands anywhere.
  if (Object.keys(tokens.links).length > 0) return blocks.filter(isVisible);
  const knownAt = new Map(known.map((block) => [block.offset, block]));
  return blocks.filter(isVisible).map((block) => {
    const before = knownAt.get(block.offset);
    return before?.token.type === block.token.type && before.token.raw === block.token.raw ? before : block;
  });
}

/** The last block with its half-written marks closed, so that `**bo` is bold at once instead of flickering. */
function completed(block: MarkdownBlock): MarkdownBlock {
  const closable =
    block.token.type === 'paragraph' || block.token.type === 'list' || block.token.type === 'heading';
  if (!closable) return block;
  const closed = completeTail(block.token.raw);
  if (closed === block.token.raw) return block;
  const token = lexMarkdown(closed)[0];
  return token === undefined ? block : { offset: block.offset, token };
}

function placeTokens(tokens: readonly Token[], from: number): MarkdownBlock[] {
  let offset = from;
  return tokens.map((token) => {
    const block = { offset, token };
    offset += token.raw.length;
    return block;
  });
}

function isVisible(block: MarkdownBlock): boolean {
  return block.token.type !== 'space' && block.token.type !== 'def';
}

function endOf(blocks: readonly MarkdownBlock[]): number {
  const last = blocks.at(-1);
  return last === undefined ? 0 : last.offset + last.token.raw.length;
}
