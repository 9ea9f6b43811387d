import { Popover } from '@base-ui/react/popover';
import type { SentContext } from '#contract/context';
import type { Conversation } from '../chat/conversation.ts';
import { useWhenFull } from '../chat/use-when-full.ts';
import { shareInWords } from '../design/amounts.ts';
import { useContextWords } from '../language/context-words.ts';
import { useLanguageTag, useWords } from '../language/language.tsx';
import { ContextBars, usedTokens } from './context-bars.tsx';

interface ContextMeterProps {
  readonly context: SentContext;
  readonly conversation: Conversation;
}

/** A quiet ring: how full the model's context will be. Says more when asked, and by itself when it gets tight. */
export function ContextMeter({ context, conversation }: ContextMeterProps) {
  const words = useWords();
  const tag = useLanguageTag();
  const own = useContextWords();
  const { whenFull } = useWhenFull(conversation);
  const { parts, beginsAt, sources } = context;
  const filled = Math.min(1, (usedTokens(parts) + parts.answer) / parts.contextTokens);
  const isTight = beginsAt !== null || filled > tightFrom;
  const oldest =
    typeof context.summary === 'string'
      ? own.summarised
      : whenFull === 'summarise'
        ? own.willSummarise
        : words.documents.context.tight;
  const isInPart = sources.some(({ length }) => length !== null);
  return (
    <Popover.Root>
      <Popover.Trigger
        className="flex h-8 items-center gap-1.5 rounded-full px-2 text-sm text-ink-soft tabular-nums transition-colors duration-150 hover:bg-pressed hover:text-ink data-popup-open:bg-pressed"
        aria-label={words.documents.context.meter(Math.round(filled * 100))}
      >
        <Ring filled={filled} isTight={isTight} />
        <span aria-hidden="true">{shareInWords(filled, tag)}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner side="top" sideOffset={8} className="z-40">
          <Popover.Popup
            className="floating w-80 max-w-[calc(100vw-1.5rem)] px-4 py-3"
            aria-label={words.documents.context.title}
          >
            <p className="mb-3 font-[600]">{words.documents.context.title}</p>
            <ContextBars parts={parts} />
            {beginsAt !== null && <Note text={oldest} />}
            {isInPart && <Note text={words.documents.context.documentsInPart} />}
            <p className="mt-2 text-sm text-ink-faint">
              {parts.isEstimated ? words.documents.context.estimated : own.counted}
            </p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const tightFrom = 0.9;

function Note({ text }: { readonly text: string }) {
  return <p className="mt-2 text-sm text-wait">{text}</p>;
}

const radius = 6;
const circumference = 2 * Math.PI * radius;

function Ring({ filled, isTight }: { readonly filled: number; readonly isTight: boolean }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" className="-rotate-90">
      <circle cx="8" cy="8" r={radius} fill="none" strokeWidth="2.5" className="stroke-hairline" />
      <circle
        cx="8"
        cy="8"
        r={radius}
        fill="none"
        strokeWidth="2.5"
        strokeDasharray={`${filled * circumference} ${circumference}`}
        className={isTight ? 'stroke-wait' : 'stroke-accent'}
      />
    </svg>
  );
}
