import { memo, useRef } from 'react';
import { growBlocks, noBlocks, type MarkdownBlock } from './markdown-blocks.ts';
import { BlockContent } from './markdown-block.tsx';

interface MarkdownProps {
  readonly text: string;
  readonly isComplete: boolean;
}

/** Model text as React elements, never as HTML. While the text grows only its last block renders again. */
export const Markdown = memo(function Markdown({ text, isComplete }: MarkdownProps) {
  const blocks = useRef(noBlocks);
  const isKnown = blocks.current.text === text && (!isComplete || blocks.current.tail.length === 0);
  if (!isKnown) blocks.current = growBlocks(blocks.current, text, isComplete);
  const { finished, tail } = blocks.current;
  return (
    <div className="prose">
      {finished.map((block) => (
        <Block key={block.offset} block={block} isGrowing={false} />
      ))}
      {tail.map((block) => (
        <Block key={block.offset} block={block} isGrowing />
      ))}
    </div>
  );
});

const Block = memo(function Block({
  block,
  isGrowing,
}: {
  readonly block: MarkdownBlock;
  readonly isGrowing: boolean;
}) {
  return <BlockContent token={block.token} isGrowing={isGrowing} />;
});
