import { Marked, type Token, type Tokens, type TokenizerExtension } from 'marked';

/**
 * Marked as a lexer only: nothing in the app ever turns model text into HTML. Adds LaTeX in the four notations
 * models use: `$…$`, `\(…\)` inside a line, `$$…$$`, `\[…\]` as a block.
 */
export function lexMarkdown(text: string): Token[] {
  return marked.lexer(text);
}

export interface MathToken extends Tokens.Generic {
  readonly type: 'math';
  readonly raw: string;
  readonly source: string;
  readonly isBlock: boolean;
  /** False while the closing mark has not arrived yet. */
  readonly isClosed: boolean;
}

export function isMathToken(token: Token): token is MathToken {
  return token.type === 'math';
}

const blockMath: TokenizerExtension = {
  name: 'math',
  level: 'block',
  start: (source) => firstIndex(source, ['$$', '\\[']),
  tokenizer(source) {
    const opening = /^ {0,3}(\$\$|\\\[)/.exec(source);
    if (opening === null) return undefined;
    const close = opening[1] === '$$' ? '$$' : '\\]';
    const from = opening[0].length;
    const end = source.indexOf(close, from);
    if (end < 0) {
      // An unclosed formula at the end of a growing answer is a formula on its way, unless a blank line ends it.
      if (source.includes('\n\n')) return undefined;
      return mathToken(source, source.slice(from), true, false);
    }
    const rest = /^[^\n]*/.exec(source.slice(end + 2))?.[0] ?? '';
    if (rest.trim() !== '' || source.slice(from, end).includes('\n\n')) return undefined;
    const raw = source.slice(0, end + 2 + rest.length);
    return mathToken(raw, source.slice(from, end), true, true);
  },
};

const inlineMath: TokenizerExtension = {
  name: 'math',
  level: 'inline',
  start: (source) => firstIndex(source, ['$', '\\(', '\\[']),
  tokenizer(source) {
    const match = inlinePatterns.map((pattern) => pattern.exec(source)).find((found) => found !== null);
    if (match === undefined || match === null) return undefined;
    return mathToken(match[0], match[1] ?? '', match[0].startsWith('$$') || match[0].startsWith('\\['), true);
  },
};

/** `$` needs tight inner edges and no digit behind it, so that prices stay prices. */
const inlinePatterns = [
  /^\$\$([^$\n]+?)\$\$/,
  /^\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s\\$]|[^\s\\$])\$(?![\d$])/,
  /^\\\(([\s\S]+?)\\\)/,
  /^\\\[([\s\S]+?)\\\]/,
];

const marked = new Marked({ gfm: true, breaks: false }).use({
  extensions: [blockMath, inlineMath],
});

function mathToken(raw: string, source: string, isBlock: boolean, isClosed: boolean): MathToken {
  return { type: 'math', raw, source: source.trim(), isBlock, isClosed };
}

function firstIndex(source: string, marks: readonly string[]): number | undefined {
  const found = marks.map((mark) => source.indexOf(mark)).filter((index) => index >= 0);
  return found.length === 0 ? undefined : Math.min(...found);
}
