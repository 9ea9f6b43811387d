import { memo, useRef } from 'react';
import { haveSameMembers, inGroups } from './groups.ts';
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
  const groups = inGroups([...finished, ...tail], blocksInPart, isNoHeading);
  return (
    <div className="prose">
      {groups.map((group, index) => (
        <Part key={index} blocks={group} growing={index === groups.length - 1 ? tail[0] : undefined} />
      ))}
    </div>
  );
}

const blocksInPart = 16;

/** A heading and a line stand closer to, or further from, what follows them in the same part. */
function isNoHeading({ token }: MarkdownBlock): boolean {
  return token.type !== 'heading' && token.type !== 'hr';
}

interface PartProps {
  readonly blocks: readonly MarkdownBlock[];
  readonly growing: MarkdownBlock | undefined;
}

/** Laid out and painted by itself: what is added at the end leaves the others alone. */
const Part = memo(
  function Part({ blocks, growing }: PartProps) {
    return (
      <div className="part">
        {blocks.map((block) => (
          <Block key={block.offset} token={block.token} isGrowing={block === growing} />
        ))}
      </div>
    );
  },
  (before, after) => before.growing === after.growing && haveSameMembers(before.blocks, after.blocks),
);

const Block = memo(BlockContent);
