import { useEffect, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useWorkingWords } from '../language/working-words.ts';

interface Passage {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** Beside a passage of an answer that somebody has marked: takes it into the next question. */
export function QuoteButton({ quote }: { readonly quote: (text: string) => void }) {
  const words = useWorkingWords();
  const [passage, setPassage] = useState<Passage>();
  useEffect(() => {
    const look = () => setPassage(markedPassage());
    document.addEventListener('selectionchange', look);
    // A passage that scrolls away takes its button along.
    document.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      document.removeEventListener('selectionchange', look);
      document.removeEventListener('scroll', look, { capture: true });
    };
  }, []);
  if (passage === undefined) return null;
  return (
    <Button
      size="small"
      className="fixed z-30 -translate-x-1/2 shadow-float"
      style={{ left: passage.left, top: passage.top }}
      // The passage stays marked until the click is done.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        quote(asQuotation(passage.text));
        getSelection()?.removeAllRanges();
        setPassage(undefined);
      }}
    >
      <Icon name="quote" size={15} />
      {words.quote}
    </Button>
  );
}

/** More than this is not a passage any more. */
const maxCharacters = 4000;
const buttonHeight = 28;
const topBarHeight = 56;

function markedPassage(): Passage | undefined {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const within = (node: Node) =>
    (node instanceof Element ? node : node.parentElement)?.closest('[data-quotable]');
  const answer = within(range.startContainer);
  const text = selection.toString().trim();
  if (answer == null || !endsWithin(range, answer) || text === '' || text.length > maxCharacters)
    return undefined;
  const { left, right, top, bottom } = range.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) return undefined;
  // Above, where nothing of the answer lies; a phone has its own menu there.
  const above = top - buttonHeight - 8;
  const goesAbove = above >= topBarHeight && matchMedia('(pointer: fine)').matches;
  return {
    text,
    left: Math.min(Math.max((left + right) / 2, 60), innerWidth - 60),
    top: goesAbove ? above : Math.min(bottom + 8, innerHeight - buttonHeight - 8),
  };
}

/** Three clicks mark a paragraph up to the beginning of what follows it, which may be no answer any more. */
function endsWithin(range: Range, answer: Element): boolean {
  if (answer.contains(range.endContainer)) return true;
  const beyond = range.cloneRange();
  beyond.setStartAfter(answer);
  return beyond.toString().trim() === '';
}

function asQuotation(passage: string): string {
  const lines = passage.split('\n').map((line) => `> ${line}`.trimEnd());
  return `${lines.join('\n')}\n\n`;
}
