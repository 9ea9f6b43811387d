import { useMemo } from 'react';
import { BranchArrows } from '../chat/branch-arrows.tsx';
import { isPending } from '../chat/conversation.ts';
import { useLiveAnswer } from '../chat/live-answers-context.tsx';
import type { MessageRowProps } from '../chat/message-row-props.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';
import { useWorkingWords } from '../language/working-words.ts';
import { AnswerBody } from './answer-body.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { canGoOn } from './can-go-on.ts';
import { Citations } from './citations.tsx';
import { FeedbackButtons } from './feedback-buttons.tsx';
import { RegenerateMenu } from './regenerate-menu.tsx';
import { Sources } from './sources.tsx';
import { callsForHands } from '../tools/round.ts';
import { ToolResultForm } from './tool-result-form.tsx';

export function AnswerMessage({ message: stored, conversation, models, isLast }: MessageRowProps) {
  const words = useWords();
  const working = useWorkingWords();
  const live = useLiveAnswer(stored);
  const message = live?.message ?? stored;
  const sources = useMemo(
    () => new Map(stored.context?.sources.map((source) => [source.number, source])),
    [stored.context],
  );
  const isRunning = message.state === 'running';
  const toolCalls = callsForHands(conversation.tree, message);
  // It only asked for tools: what they gave stands below it.
  const isSilent = message.content === '' && toolCalls.length < message.toolCalls.length;
  return (
    <article
      aria-label={words.chat.answerBy(message.model ?? '')}
      aria-busy={isRunning}
      className={isSilent && message.reasoning === '' ? 'group' : 'group pt-6'}
      data-state={message.state}
    >
      <div data-quotable={isRunning ? undefined : ''}>
        <Citations value={sources}>
          <AnswerBody
            message={{ ...message, toolCalls }}
            phase={live?.phase ?? 'waiting'}
            place={live?.place ?? null}
            isReconnecting={live?.isReconnecting ?? false}
          />
        </Citations>
      </div>
      {isLast && conversation.working !== undefined && canGoOn(message) && (
        <Button
          size="small"
          className="mt-3"
          disabled={conversation.running !== undefined}
          onClick={() => conversation.working?.goOn(message)}
        >
          {working.goOn}
        </Button>
      )}
      {!isRunning && <Sources message={message} />}
      {isLast && message.state === 'complete' && toolCalls.length > 0 && (
        <ToolResultForm calls={toolCalls} conversation={conversation} />
      )}
      {isSilent && <BranchArrows message={message} conversation={conversation} />}
      {!isRunning && !isSilent && !isPending(message) && (
        <div
          className={
            isLast
              ? '-ms-1.5 mt-2 flex h-7 items-center gap-0.5'
              : '-ms-1.5 mt-2 flex h-7 items-center gap-0.5 opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100'
          }
        >
          <BranchArrows message={message} conversation={conversation} />
          {message.content !== '' && <CopyButton text={message.content} label={words.chat.copyAnswer} />}
          <RegenerateMenu message={message} conversation={conversation} models={models} />
          <AnswerFacts
            message={message}
            model={models.find(({ id }) => id === message.model)}
            conversation={conversation}
          />
          {conversation.working !== undefined && message.content !== '' && (
            <FeedbackButtons message={message} judge={conversation.working.judge} />
          )}
          <IconButton
            icon="trash"
            size="small"
            label={words.chat.deleteMessage}
            disabled={conversation.running !== undefined}
            onClick={() => conversation.remove(message)}
          />
          <span className="ms-1.5 truncate text-sm text-ink-faint">{message.model}</span>
        </div>
      )}
    </article>
  );
}
