import { useEffect, useState } from 'react';
import type { Message } from '#contract/messages';
import { answerFailureSentence } from '../app/failure-sentence.ts';
import type { AnswerProgress, LinePlace } from '../events/answer-progress.ts';
import { Icon } from '../design/icon.tsx';
import { useContextWords } from '../language/context-words.ts';
import { useWords } from '../language/language.tsx';
import { Markdown } from './markdown.tsx';
import { Thinking } from './thinking.tsx';
import { ToolCalls } from './tool-calls.tsx';

interface AnswerBodyProps {
  readonly message: Message;
  readonly phase: AnswerProgress['phase'];
  readonly place: LinePlace | null;
  readonly isReconnecting: boolean;
}

/** What an answer says, live or finished; also on the shared page. */
export function AnswerBody({ message, phase, place, isReconnecting }: AnswerBodyProps) {
  const words = useWords();
  const isRunning = message.state === 'running';
  const isWaiting =
    isRunning && message.content === '' && message.reasoning === '' && message.toolCalls.length === 0;
  return (
    <>
      {isWaiting && (phase === 'summarising' ? <Summarising /> : <Waiting place={place} />)}
      {message.reasoning !== '' && (
        <Thinking message={message} isThinking={isRunning && phase === 'thinking'} />
      )}
      {message.content !== '' && <Markdown text={message.content} isComplete={!isRunning} />}
      {message.toolCalls.length > 0 && <ToolCalls calls={message.toolCalls} isGrowing={isRunning} />}
      {isReconnecting && <Note icon="wifiOff" tone="wait" sentence={words.answer.reconnecting} />}
      <Ending message={message} />
    </>
  );
}

/** What is too old to go along is being summarised first. */
function Summarising() {
  const { summarising } = useContextWords();
  return (
    <p role="status" className="flex h-7 items-center gap-2.5 text-[0.9375rem] text-wait">
      <span className="breathing inline-block h-5 w-2 rounded-sm bg-accent" />
      {summarising}
    </p>
  );
}

/** A breath at first; who waits longer is told what for. Without a place in the line an engine has the question. */
function Waiting({ place }: { readonly place: LinePlace | null }) {
  const words = useWords();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), silentWaitMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="flex h-7 items-center gap-2.5 text-[0.9375rem] text-wait">
      <span className="breathing inline-block h-5 w-2 rounded-sm bg-accent" />
      {place === null ? (
        <span className={isLong ? undefined : 'sr-only'}>{words.answer.waiting}</span>
      ) : (
        words.answer.place(place.place, place.seconds)
      )}
    </p>
  );
}

const silentWaitMs = 1500;

function Ending({ message }: { readonly message: Message }) {
  const words = useWords();
  switch (message.state) {
    case 'stopped':
      return <Note icon="stop" tone="quiet" sentence={words.answer.stopped} />;
    case 'interrupted':
      return <Note icon="warning" tone="wait" sentence={words.answer.interrupted} />;
    case 'failed':
      return (
        <Note
          icon="warning"
          tone="danger"
          sentence={
            message.error === null ? words.answer.failed : answerFailureSentence(message.error, words)
          }
        />
      );
    case 'complete':
      return message.finishReason === 'length' ? (
        <Note icon="info" tone="wait" sentence={words.answer.cut} />
      ) : null;
    case 'running':
      return null;
  }
}

const tones = {
  quiet: 'text-ink-faint',
  wait: 'text-wait',
  danger: 'rounded-lg bg-danger-wash px-3 py-2 text-danger',
} as const;

interface NoteProps {
  readonly icon: 'stop' | 'warning' | 'info' | 'wifiOff';
  readonly tone: keyof typeof tones;
  readonly sentence: string;
}

function Note({ icon, tone, sentence }: NoteProps) {
  return (
    <p className={`mt-3 flex items-start gap-2 text-[0.9375rem] ${tones[tone]}`}>
      <span className="mt-0.5">
        <Icon name={icon} size={16} />
      </span>
      {sentence}
    </p>
  );
}
