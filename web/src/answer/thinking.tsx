import { useEffect, useId, useState } from 'react';
import type { Message } from '#contract/messages';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';
import { Markdown } from './markdown.tsx';

interface ThinkingProps {
  readonly message: Message;
  readonly isThinking: boolean;
}

/** Thinking in a fold: closed unless somebody opens it, alive while it lasts, with its duration. */
export function Thinking({ message, isThinking }: ThinkingProps) {
  const words = useWords();
  const contentId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const thinkingMs = message.timings?.thinkingMs ?? null;
  return (
    <section className="mb-4" data-testid="thinking">
      <button
        type="button"
        data-fold
        aria-expanded={isOpen}
        aria-controls={contentId}
        className="-ms-1.5 inline-flex items-center gap-2 rounded-md px-1.5 py-0.5 text-[0.9375rem] text-ink-soft transition-colors duration-150 hover:bg-sunken hover:text-ink"
        onClick={() => setIsOpen(!isOpen)}
      >
        <span
          className={
            isOpen
              ? 'rotate-90 rtl:-rotate-90 transition-transform duration-150'
              : 'transition-transform duration-150'
          }
        >
          <Icon name="chevronRight" size={14} />
        </span>
        {isThinking ? (
          <>
            <span className="breathing inline-block h-4 w-1.5 rounded-sm bg-accent" />
            <span>{words.answer.thinking}</span>
            <LiveSeconds alreadyMs={thinkingMs ?? 0} />
          </>
        ) : (
          <span>
            {thinkingMs === null ? words.answer.thoughts : words.answer.thoughtFor(thinkingMs / 1000)}
          </span>
        )}
      </button>
      {isOpen && (
        <div
          id={contentId}
          className="mt-1.5 border-s-2 border-hairline ps-4 text-ink-soft [&_.prose]:text-[0.9375rem]"
        >
          <Markdown text={message.reasoning} isComplete={!isThinking} />
        </div>
      )}
    </section>
  );
}

/** Somebody who comes back finds the thinking as old as it is. */
function LiveSeconds({ alreadyMs }: { readonly alreadyMs: number }) {
  const words = useWords();
  const [startedAt] = useState(() => performance.now() - alreadyMs);
  const [seconds, setSeconds] = useState(Math.floor(alreadyMs / 1000));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - startedAt) / 1000)), 250);
    return () => clearInterval(timer);
  }, [startedAt]);
  return (
    <span className="text-ink-faint tabular-nums" aria-hidden="true">
      {words.answer.seconds(seconds)}
    </span>
  );
}
