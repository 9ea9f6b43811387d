import type { Token } from 'marked';
import { completeTail } from './complete-tail.ts';
import { type Stem, stemOf } from './growing-block.ts';
import { lexMarkdown } from './markdown-lexer.ts';

/**
 * A growing answer as a list of blocks. Finished blocks keep their identity, so that a renderer that memoises
 * by block never touches them again; only the text behind the last finished block is lexed anew, and of a long one
 * only its end.
 */
export interface MarkdownBlocks {
  readonly text: string;
  readonly finished: readonly MarkdownBlock[];
  readonly tail: readonly MarkdownBlock[];
  /** Of the block in `tail`, as far as it is certain. */
  readonly stem?: Stem | undefined;
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
  const isContinued = text.startsWith(previous.text);
  const kept = isContinued ? previous.finished : [];
  const fresh = (isContinued ? regrown(previous, text) : undefined) ?? readFrom(text, endOf(kept));

  const lastVisible = fresh.findLastIndex(isVisible);
  const newlyFinished = fresh.slice(0, Math.max(lastVisible, 0)).filter(isVisible);
  const last = fresh[lastVisible];
  const stem = stemOf(last?.token);
  return {
    text,
    finished: newlyFinished.length === 0 ? kept : [...kept, ...newlyFinished],
    tail: last === undefined ? [] : [completed(last, stem)],
    stem,
  };
}

/** What follows the stem of the block that grew. */
function regrown({ tail, stem }: MarkdownBlocks, text: string): MarkdownBlock[] | undefined {
  const offset = tail[0]?.offset;
  if (offset === undefined || stem === undefined) return undefined;
  const [first, ...others] = lexMarkdown(stem.head + text.slice(offset + stem.length));
  const token = stem.graft(first);
  return token === undefined ? undefined : placeTokens([token, ...others], offset);
}

function readFrom(text: string, from: number): MarkdownBlock[] {
  return placeTokens(lexMarkdown(text.slice(from)), from);
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
    return before !== undefined && isSame(before.token, block.token) ? before : block;
  });
}

/** Lines that looked like code for a while may be part of a paragraph, with the same text before their reading. */
function isSame(before: Token, after: Token): boolean {
  return before.type === after.type && before.raw === after.raw && textOf(before) === textOf(after);
}

function textOf(token: Token): unknown {
  return 'text' in token ? token.text : undefined;
}

/** The last block with its half-written marks closed, so that `**bo` is bold at once instead of flickering. */
function completed(block: MarkdownBlock, stem: Stem | undefined): MarkdownBlock {
  const { offset, token } = block;
  const closable = token.type === 'paragraph' || token.type === 'list' || token.type === 'heading';
  if (!closable) return block;
  const open = token.raw.slice(stem?.length);
  const closed = completeTail(open);
  if (closed === open) return block;
  const rest = lexMarkdown(closed)[0];
  const whole =
    stem === undefined
      ? rest
      : (stem.graft(rest) ?? lexMarkdown(token.raw.slice(0, stem.length) + closed)[0]);
  return whole === undefined ? block : { offset, token: whole };
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
