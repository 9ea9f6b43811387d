import type { Token, Tokens } from 'marked';

/**
 * What of a long block can no longer change while it grows: items of a list, rows of a table, lines of code. Only
 * what follows them is read again, and they keep their identity, so that they are not drawn again either.
 */
export interface Stem {
  /** Its length in the raw text of the block. */
  readonly length: number;
  /** What has to stand before the rest, so that it reads as the same kind of block. */
  readonly head: string;
  /** The block as a whole, from what the rest read as; undefined when it must be read as a whole. */
  graft(rest: Token | undefined): Token | undefined;
}

export function stemOf(token: Token | undefined): Stem | undefined {
  switch (token?.type) {
    case 'list':
      return stemOfList(token as Tokens.List);
    case 'table':
      return stemOfTable(token as Tokens.Table);
    case 'code':
      return stemOfCode(token as Tokens.Code);
    default:
      return undefined;
  }
}

/** The last item may go on, and shows with the one before it whether there is air between items. */
function stemOfList(list: Tokens.List): Stem | undefined {
  const kept = list.items.slice(0, -2);
  if (kept.length === 0) return undefined;
  const length = kept.reduce((sum, { raw }) => sum + raw.length, 0);
  return {
    length,
    head: '',
    graft(rest) {
      if (!isList(rest) || rest.ordered !== list.ordered || rest.loose !== list.loose) return undefined;
      return { ...list, raw: list.raw.slice(0, length) + rest.raw, items: [...kept, ...rest.items] };
    },
  };
}

function isList(token: Token | undefined): token is Tokens.List {
  return token?.type === 'list';
}

function stemOfTable(table: Tokens.Table): Stem | undefined {
  const kept = table.rows.slice(0, -1);
  if (kept.length === 0) return undefined;
  const length = startOfLastLine(table.raw.trimEnd());
  const head = table.raw.slice(0, endOfLine(table.raw, endOfLine(table.raw, 0)));
  return {
    length,
    head,
    graft(rest) {
      if (!isTable(rest)) return undefined;
      const raw = table.raw.slice(0, length) + rest.raw.slice(head.length);
      return { ...table, raw, rows: [...kept, ...rest.rows] };
    },
  };
}

function isTable(token: Token | undefined): token is Tokens.Table {
  return token?.type === 'table';
}

function stemOfCode(code: Tokens.Code): Stem | undefined {
  const { raw } = code;
  // What is indented loses its indentation in ways of its own.
  if (!raw.startsWith('```') && !raw.startsWith('~~~')) return undefined;
  const head = raw.slice(0, endOfLine(raw, 0));
  const length = startOfLastLine(raw);
  const isClosed = closingMark.test(raw.slice(startOfLastLine(raw.trimEnd())));
  if (length <= head.length || isClosed) return undefined;
  const kept = raw.slice(head.length, length);
  return {
    length,
    head,
    graft(rest) {
      if (!isCode(rest)) return undefined;
      const added = rest.raw.slice(head.length);
      // The last line break before the end, or before the closing mark, is not part of the code.
      const isAtEnd = rest.text === '' && !added.startsWith('\n');
      return {
        ...code,
        raw: raw.slice(0, length) + added,
        text: isAtEnd ? kept.slice(0, -1) : kept + rest.text,
      };
    },
  };
}

function isCode(token: Token | undefined): token is Tokens.Code {
  return token?.type === 'code';
}

const closingMark = /^ {0,3}[`~]{3,}\s*$/;

function startOfLastLine(text: string): number {
  return text.lastIndexOf('\n') + 1;
}

function endOfLine(text: string, from: number): number {
  return text.indexOf('\n', from) + 1;
}
