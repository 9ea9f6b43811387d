import { useEffect, useRef, useState } from 'react';
import type { Message } from '#contract/messages';
import { useWords } from '../language/language.tsx';

interface AnnouncerProps {
  readonly running: Message | undefined;
  readonly last: Message | undefined;
}

/** Tells screen readers that an answer began and, once, what it says; never token by token. */
export function Announcer({ running, last }: AnnouncerProps) {
  const words = useWords();
  const [sentence, setSentence] = useState('');
  const wasRunning = useRef(false);
  const isRunning = running !== undefined;
  useEffect(() => {
    if (isRunning && !wasRunning.current) setSentence(words.chat.answerBegan);
    if (!isRunning && wasRunning.current && last?.role === 'assistant') {
      const excerpt = last.content.length > maxSpoken ? `${last.content.slice(0, maxSpoken)}…` : last.content;
      setSentence(`${words.chat.answerEnded} ${excerpt}`);
    }
    wasRunning.current = isRunning;
  }, [isRunning, last, words]);
  return (
    <p aria-live="polite" className="sr-only">
      {sentence}
    </p>
  );
}

const maxSpoken = 1200;
