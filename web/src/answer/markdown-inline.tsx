import { Fragment, type ReactNode } from 'react';
import type { Token, Tokens } from 'marked';
import { CitingText } from './citations.tsx';
import { MathText } from './math-text.tsx';
import { isMathToken } from './markdown-lexer.ts';
import { safeLink } from './safe-link.ts';

export function InlineContent({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{inline(token)}</Fragment>);
}

function inline(token: Token): ReactNode {
  if (isMathToken(token)) return <MathText math={token} />;
  const known = token as
    | Tokens.Strong
    | Tokens.Em
    | Tokens.Del
    | Tokens.Codespan
    | Tokens.Link
    | Tokens.Image
    | Tokens.Br
    | Tokens.Escape
    | Tokens.Text
    | Tokens.Tag
    | { readonly type: 'subscript'; readonly text: string };
  switch (known.type) {
    case 'strong':
      return (
        <strong>
          <InlineContent tokens={known.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <InlineContent tokens={known.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <InlineContent tokens={known.tokens} />
        </del>
      );
    case 'codespan':
      return <code>{known.text}</code>;
    case 'subscript':
      return <sub>{known.text}</sub>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <SafeLink address={known.href}>
          <InlineContent tokens={known.tokens} />
        </SafeLink>
      );
    // A remote picture would tell its host who reads; its address is shown instead.
    case 'image':
      return <SafeLink address={known.href}>{known.text === '' ? known.href : known.text}</SafeLink>;
    case 'text':
      return 'tokens' in known && known.tokens !== undefined ? (
        <InlineContent tokens={known.tokens} />
      ) : (
        <CitingText text={known.text} />
      );
    case 'escape':
      return known.text;
    case 'html':
      return /^<br\s*\/?>$/i.test(known.raw) ? <br /> : known.raw;
    default:
      return (token as Tokens.Generic).raw;
  }
}

function SafeLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const href = safeLink(address);
  if (href === undefined) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
