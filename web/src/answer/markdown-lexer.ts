import { Marked, type Token, type Tokens, type TokensList, type TokenizerExtension } from 'marked';
import { BoundedLexer } from './bounded-lexer.ts';

/**
 * Marked as a lexer only: nothing in the app ever turns model text into HTML. Adds LaTeX in the notations models
 * use: `$…$` and `\(…\)` inside a line; `$$…$$`, `\[…\]` and a bare `\begin{align}` as a block. Bounded in time
 * and depth, whatever the text.
 */
export function lexMarkdown(text: string): TokensList {
  return new BoundedLexer(marked.defaults).lex(text);
}

export interface MathToken extends Tokens.Generic {
  readonly type: 'math';
  readonly raw: string;
  readonly source: string;
  readonly isBlock: boolean;
  /** False while the closing mark has not arrived yet, and for one formula too many: its source is shown. */
  readonly isClosed: boolean;
}

export function isMathToken(token: Token): token is MathToken {
  return token.type === 'math';
}

const blockMath: TokenizerExtension = {
  name: 'math',
  level: 'block',
  start(source) {
    const found = nextBlock.exec(source);
    return found?.groups?.['formula'] === undefined ? undefined : found.index;
  },
  tokenizer(source) {
    const opening = /^ {0,3}(\$\$|\\\[|\\begin\{(?<environment>[a-zA-Z]+\*?)\})/.exec(source);
    if (opening === null) return undefined;
    const environment = opening.groups?.['environment'];
    if (environment !== undefined && !mathEnvironments.has(environment.replace('*', ''))) return undefined;
    const close = environment === undefined ? (opening[1] === '$$' ? '$$' : '\\]') : `\\end{${environment}}`;
    // An environment is read with its name, the other marks are left out.
    const from = environment === undefined ? opening[0].length : 0;
    const end = source.indexOf(close, opening[0].length);
    if (end < 0) {
      // An unclosed formula at the end of a growing answer is a formula on its way, unless a blank line ends it.
      if (source.includes('\n\n')) return undefined;
      return mathToken(source, source.slice(from), true, false);
    }
    const closedAt = end + close.length;
    const rest = /^[^\n]*/.exec(source.slice(closedAt))?.[0] ?? '';
    if (rest.trim() !== '' || source.slice(from, end).includes('\n\n')) return undefined;
    const formula = source.slice(from, environment === undefined ? end : closedAt);
    return mathToken(source.slice(0, closedAt + rest.length), formula, true, mayDraw(this.lexer));
  },
};

/** No further than the paragraph goes: it is asked for each of them, and a text has many. */
const nextBlock = /(?<formula>\$\$|\\\[|\\begin\{)|\n[ \t]*\n/;

/** What models write without marks around it. */
const mathEnvironments = new Set([
  'align',
  'aligned',
  'alignat',
  'equation',
  'gather',
  'gathered',
  'split',
  'cases',
  'matrix',
  'pmatrix',
  'bmatrix',
  'vmatrix',
  'array',
]);

const inlineMath: TokenizerExtension = {
  name: 'math',
  level: 'inline',
  start: (source) => dollarAhead(source),
  tokenizer(source) {
    const match = inlinePatterns.map((pattern) => pattern.exec(source)).find((found) => found !== null);
    if (match === undefined || match === null) return undefined;
    const isBlock = match[0].startsWith('$$') || match[0].startsWith('\\[');
    return mathToken(match[0], match[1] ?? '', isBlock, mayDraw(this.lexer));
  },
};

/** `$` needs tight inner edges and no digit behind it, so that prices stay prices. */
const inlinePatterns = [
  /^\$\$([^$\n]+?)\$\$/,
  /^\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s\\$]|[^\s\\$])\$(?![\d$])/,
  /^\\\(([\s\S]+?)\\\)/,
  /^\\\[([\s\S]+?)\\\]/,
];

/** `H~2~O`. Two tildes strike out; one is no more than a mark for what stands lower. */
const subscript: TokenizerExtension = {
  name: 'subscript',
  level: 'inline',
  tokenizer(source) {
    const match = /^~([^\s~]{1,20})~(?!~)/.exec(source);
    return match === null ? undefined : { type: 'subscript', raw: match[0], text: match[1] ?? '' };
  },
};

const marked = new Marked({ gfm: true, breaks: false }).use({
  extensions: [blockMath, inlineMath, subscript],
  tokenizer: { del: (source) => (source.startsWith('~~') ? false : undefined) },
});

function mayDraw(lexer: unknown): boolean {
  return !(lexer instanceof BoundedLexer) || lexer.takeFormula();
}

function mathToken(raw: string, source: string, isBlock: boolean, isClosed: boolean): MathToken {
  return { type: 'math', raw, source: source.trim(), isBlock, isClosed };
}

/** Text stops at a backslash by itself. Looks a little ahead only: it is asked for every piece of a line. */
function dollarAhead(source: string): number | undefined {
  const ahead = source.slice(0, lookAhead);
  const found = ahead.indexOf('$');
  if (found >= 0) return found;
  return ahead.length < source.length ? ahead.length : undefined;
}

const lookAhead = 1000;
