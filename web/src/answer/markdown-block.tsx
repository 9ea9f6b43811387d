import { Fragment, memo, type ReactNode } from 'react';
import type { Token, Tokens } from 'marked';
import { CodeBlock } from './code-block.tsx';
import { haveSameMembers, inGroups } from './groups.ts';
import { MathText } from './math-text.tsx';
import { InlineContent } from './markdown-inline.tsx';
import { isMathToken } from './markdown-lexer.ts';

interface BlockProps {
  readonly token: Token;
  readonly isGrowing: boolean;
}

export function BlockContent({ token, isGrowing }: BlockProps): ReactNode {
  if (isMathToken(token)) return <MathText math={token} />;
  const known = token as
    | Tokens.Heading
    | Tokens.Paragraph
    | Tokens.Code
    | Tokens.List
    | Tokens.Blockquote
    | Tokens.Table
    | Tokens.Hr
    | Tokens.HTML
    | Tokens.Text
    | Tokens.Space;
  switch (known.type) {
    case 'heading':
      return <Heading token={known} />;
    case 'paragraph':
      return (
        <p dir="auto">
          <InlineContent tokens={known.tokens} />
        </p>
      );
    case 'text':
      return known.tokens === undefined ? known.text : <InlineContent tokens={known.tokens} />;
    case 'code':
      return <CodeBlock code={known.text} language={known.lang ?? ''} isGrowing={isGrowing} />;
    case 'list':
      return <List token={known} isGrowing={isGrowing} />;
    case 'blockquote':
      return (
        <blockquote dir="auto">
          <Blocks tokens={known.tokens} isGrowing={isGrowing} />
        </blockquote>
      );
    case 'table':
      return <Table token={known} />;
    case 'hr':
      return <hr />;
    case 'html':
      return (
        <p dir="auto" className="whitespace-pre-wrap">
          {known.raw.trimEnd()}
        </p>
      );
    case 'space':
      return null;
    default:
      return <p>{(token as Tokens.Generic).raw}</p>;
  }
}

function Blocks({ tokens, isGrowing }: { readonly tokens: readonly Token[]; readonly isGrowing: boolean }) {
  return tokens.map((token, index) => (
    <Fragment key={index}>
      <BlockContent token={token} isGrowing={isGrowing && index === tokens.length - 1} />
    </Fragment>
  ));
}

/** The title of the chat is the first heading; an answer's begin below it. */
function Heading({ token }: { readonly token: Tokens.Heading }) {
  const Level = `h${Math.min(token.depth + 1, 6)}` as 'h3';
  return (
    <Level
      dir="auto"
      className={token.depth === 1 ? 'text-[1.25em]' : token.depth === 2 ? 'text-[1.14em]' : undefined}
    >
      <InlineContent tokens={token.tokens} />
    </Level>
  );
}

function List({ token, isGrowing }: { readonly token: Tokens.List; readonly isGrowing: boolean }) {
  const groups = inGroups(token.items, itemsInGroup);
  const items = groups.map((group, index) => (
    <Items key={index} items={group} isGrowing={isGrowing && index === groups.length - 1} />
  ));
  if (!token.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={typeof token.start === 'number' ? token.start : undefined}>
      {items}
    </ol>
  );
}

const itemsInGroup = 40;

interface ItemsProps {
  readonly items: readonly Tokens.ListItem[];
  readonly isGrowing: boolean;
}

const Items = memo(
  function Items({ items, isGrowing }: ItemsProps) {
    return items.map((item, index) => (
      <Item key={index} item={item} isGrowing={isGrowing && index === items.length - 1} />
    ));
  },
  (before, after) => before.isGrowing === after.isGrowing && haveSameMembers(before.items, after.items),
);

const Item = memo(function Item({
  item,
  isGrowing,
}: {
  readonly item: Tokens.ListItem;
  readonly isGrowing: boolean;
}) {
  return (
    <li dir="auto" className={item.task ? '-ms-[1.4em] list-none' : undefined}>
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked ?? false}
          disabled
          className="me-2"
          aria-label={item.text}
        />
      )}
      <Blocks tokens={item.tokens.filter(isShown)} isGrowing={isGrowing} />
    </li>
  );
});

function isShown(token: Token): boolean {
  return token.type !== 'checkbox';
}

/** Its columns run as its own words do, whatever the language of the page; each cell reads as its own. */
function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    <div className="table-scroll" dir="auto" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col" className={alignment(cell)}>
                <InlineContent tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <Row key={index} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Row = memo(function Row({ row }: { readonly row: readonly Tokens.TableCell[] }) {
  return (
    <tr>
      {row.map((cell, index) => (
        <td key={index} className={alignment(cell)}>
          <InlineContent tokens={cell.tokens} />
        </td>
      ))}
    </tr>
  );
});

function alignment({ align }: Tokens.TableCell): string | undefined {
  return align === null ? undefined : alignments[align];
}

const alignments = { left: 'text-left', center: 'text-center', right: 'text-right' } as const;
