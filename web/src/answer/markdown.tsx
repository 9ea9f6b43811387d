import { memo, useRef } from 'react';
import { growBlocks, noBlocks, type MarkdownBlock } from './markdown-blocks.ts';
import { PlainText, PlainTextBoundary } from './plain-text.tsx';
import { BlockContent } from './markdown-block.tsx';

interface MarkdownProps {
  readonly text: string;
  readonly isComplete: boolean;
}

/** Model text as React elements, never as HTML. Text that cannot be laid out is shown as it was written. */
export const Markdown = memo(function Markdown({ text, isComplete }: MarkdownProps) {
  if (text.length > maxMarkdownCharacters) return <PlainText text={text} />;
  return (
    <PlainTextBoundary text={text}>
      <Blocks text={text} isComplete={isComplete} />
    </PlainTextBoundary>
  );
});

/** Longer than any model answers; a file that somebody imported may hold more. */
const maxMarkdownCharacters = 400_000;

/** While the text grows only its last block renders again. */
function Blocks({ text, isComplete }: MarkdownProps) {
  const blocks = useRef(noBlocks);
  const isKnown = blocks.current.text === text && (!isComplete || blocks.current.tail.length === 0);
  if (!isKnown) blocks.current = growBlocks(blocks.current, text, isComplete);
  const { finished, tail } = blocks.current;
  return (
    <div className="prose">
      {[...finished, ...tail].map((block, index) => (
        <Block key={block.offset} block={block} isGrowing={index >= finished.length} />
      ))}
    </div>
  );
}

const Block = memo(function Block({
  block,
  isGrowing,
}: {
  readonly block: MarkdownBlock;
  readonly isGrowing: boolean;
}) {
  return <BlockContent token={block.token} isGrowing={isGrowing} />;
});
