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
  const groups = inGroups([...finished, ...tail]);
  return (
    <div className="prose">
      {groups.map((group, index) => (
        <Group key={index} blocks={group} growing={index === groups.length - 1 ? tail[0] : undefined} />
      ))}
    </div>
  );
}

interface GroupProps {
  readonly blocks: readonly MarkdownBlock[];
  readonly growing: MarkdownBlock | undefined;
}

const Group = memo(
  function Group({ blocks, growing }: GroupProps) {
    return blocks.map((block) => (
      <Block key={block.offset} token={block.token} isGrowing={block === growing} />
    ));
  },
  (before, after) => before.growing === after.growing && haveSameMembers(before.blocks, after.blocks),
);

const Block = memo(BlockContent);
