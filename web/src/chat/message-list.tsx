import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef } from 'react';
import type { Model } from '#contract/models';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';
import type { Conversation } from './conversation.ts';
import { EarlierRow } from './earlier-row.tsx';
import { MessageRow } from './message-row.tsx';
import { QuoteButton } from './quote-button.tsx';
import { useLanding, type SearchHit } from './use-landing.ts';
import { viewBeginsAt, ViewLine } from './view-line.tsx';
import { useEarlierMessages } from './use-earlier-messages.ts';
import { useFollowEnd } from './use-follow-end.ts';

interface MessageListProps {
  readonly conversation: Conversation;
  readonly models: readonly Model[];
  /** Opened from a search. */
  readonly hit: SearchHit | undefined;
  /** Takes a passage, as Markdown, into the next question. */
  readonly quote: (passage: string) => void;
}

/**
 * The conversation. Long ones draw only what is near the view; the drawn rows stand in normal flow, so a
 * growing answer pushes nothing about. Short ones draw every row, so that the browser's own search works.
 */
export function MessageList({ conversation, models, hit, quote }: MessageListProps) {
  const words = useWords();
  const { path } = conversation;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, goToEnd, leaveEnd } = useFollowEnd(
    scroller,
    content,
    conversation.chatId,
    path.at(-1)?.id,
  );
  // The same function for the same messages: with another one every row would be reckoned anew at each token.
  const getItemKey = useCallback((index: number) => path[index]?.id ?? index, [path]);
  const virtualizer = useVirtualizer({
    count: path.length,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: (index) => estimatedHeight(path[index]?.content ?? ''),
    overscan: path.length <= alwaysDrawn ? alwaysDrawn : 6,
    paddingStart: conversation.earlier.state === 'none' ? 16 : 64,
    paddingEnd: 40,
    // What is put before the line one reads does not move it. The end is followed by `useFollowEnd` alone.
    anchorTo: 'end',
    scrollEndThreshold: -1,
    useFlushSync: false,
  });
  useLanding({ scroller, virtualizer, path, chatId: conversation.chatId, hit, leaveEnd });
  useEarlierMessages(scroller, conversation.earlier);
  const viewBegins = useMemo(() => viewBeginsAt(path), [path]);
  const rows = virtualizer.getVirtualItems();
  const first = rows[0];
  // What stands in normal flow needs no room kept for it: an answer that grows is laid out once, not twice.
  const isEndDrawn = rows.at(-1)?.index === path.length - 1;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none]"
        tabIndex={-1}
        data-testid="messages"
      >
        <EarlierRow earlier={conversation.earlier} />
        <div style={{ minHeight: isEndDrawn ? undefined : virtualizer.getTotalSize() }}>
          <div ref={content} style={{ paddingTop: first?.start ?? 16 }}>
            <ol className="mx-auto w-full max-w-measure px-5 pb-10" aria-label={words.chat.messages}>
              {rows.map((row) => {
                const message = path[row.index];
                return message === undefined ? null : (
                  <li
                    key={row.key}
                    data-index={row.index}
                    data-hit={message.id === hit?.messageId ? '' : undefined}
                    ref={virtualizer.measureElement}
                    className={row.index < viewBegins ? unseen : undefined}
                  >
                    {viewBegins > 0 && row.index === viewBegins && (
                      <ViewLine conversation={conversation} viewBegins={viewBegins} />
                    )}
                    <MessageRow
                      message={message}
                      conversation={conversation}
                      models={models}
                      isLast={row.index === path.length - 1}
                    />
                  </li>
                );
              })}
            </ol>
          </div>
        </div>
      </div>
      <QuoteButton quote={quote} />
      {!isAtEnd && (
        <Button
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
          size="small"
          onClick={goToEnd}
        >
          <Icon name="arrowDown" size={15} />
          {words.chat.toTheEnd}
        </Button>
      )}
    </div>
  );
}

const alwaysDrawn = 60;

/** What the model no longer sees stands back. */
const unseen = '[&_.prose]:text-ink-soft [&_[data-question]]:bg-sunken [&_[data-question]]:text-ink-soft';

function estimatedHeight(text: string): number {
  return 90 + Math.ceil(text.length / 85) * 27;
}
