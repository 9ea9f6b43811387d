import { Lexer, type Token, type Tokens, type TokensList } from 'marked';

/** Quotes in lists in quotes: what is deeper stands as it was written. */
const maxDepth = 24;
/** A line of marks takes time that grows with its square; a longer one stands as it was written. */
const maxLineCharacters = 12_000;
/** Each formula costs a hundred elements. */
const maxFormulas = 500;

/** A lexer that no text can bring down or hold up: what is too deep or too long for it stays plain text. */
export class BoundedLexer extends Lexer {
  #depth = 0;
  #formulas = 0;

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#depth >= maxDepth) return withText(tokens, source);
    this.#depth += 1;
    try {
      return super.blockTokens(source, tokens, lastParagraphClipped);
    } finally {
      this.#depth -= 1;
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.#depth >= maxDepth || source.length > maxLineCharacters) return withText(tokens, source);
    this.#depth += 1;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Whether one more formula may be drawn. */
  takeFormula(): boolean {
    this.#formulas += 1;
    return this.#formulas <= maxFormulas;
  }
}

function withText(tokens: Token[], text: string): Token[] {
  const token: Tokens.Text = { type: 'text', raw: text, text, escaped: false };
  tokens.push(token);
  return tokens;
}
