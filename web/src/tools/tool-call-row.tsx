import type { Message, ToolUse } from '#contract/messages';
import { NamedValues } from '../answer/named-values.tsx';
import { ToolResultForm } from '../answer/tool-result-form.tsx';
import { useLiveAnswer } from '../chat/live-answers-context.tsx';
import type { MessageRowProps } from '../chat/message-row-props.ts';
import { classes } from '../design/classes.ts';
import { Icon } from '../design/icon.tsx';
import { useToolsWords } from '../language/tools-words.ts';
import { ConsentQuestion } from './consent-question.tsx';
import { askingAnswer, callsForHands } from './round.ts';

/** A call that the service makes: the question before it, then what was sent and what came back, folded. */
export function ToolCallRow({
  message: stored,
  tool,
  conversation,
  isLast,
}: MessageRowProps & { readonly tool: ToolUse }) {
  const toolWords = useToolsWords();
  const message = useLiveAnswer(stored)?.message ?? stored;
  const use = message.tool ?? tool;
  const asking = askingAnswer(conversation.tree, message);
  const sent = asking?.toolCalls.find(({ id }) => id === message.toolCallId)?.argumentsText ?? '';
  const isAsked = message.state === 'running' && use.consent === 'asked';
  const left = asking === undefined ? [] : callsForHands(conversation.tree, asking);
  return (
    <>
      <article
        aria-label={toolWords.call(use.title, use.serverLabel)}
        data-tool={use.tool}
        data-state={message.state}
        className={classes(
          'mt-3 overflow-hidden rounded-lg border',
          isAsked ? 'border-accent' : 'border-hairline',
        )}
      >
        {isAsked ? (
          <>
            <Head use={use} message={message} />
            <ConsentQuestion message={message} use={use} sent={sent} />
          </>
        ) : (
          <details className="group/call">
            <summary className="cursor-pointer list-none [&::-webkit-details-marker]:hidden">
              <Head use={use} message={message} />
            </summary>
            <div className="border-t border-hairline pb-1">
              <Part title={toolWords.sent} text={sent} empty={toolWords.nothingSent} />
              {message.state !== 'running' && <Outcome message={message} use={use} />}
            </div>
          </details>
        )}
      </article>
      {isLast && message.state !== 'running' && left.length > 0 && (
        <ToolResultForm calls={left} conversation={conversation} />
      )}
    </>
  );
}

function Head({ use, message }: { readonly use: ToolUse; readonly message: Message }) {
  const toolWords = useToolsWords();
  const isAsked = message.state === 'running' && use.consent === 'asked';
  return (
    <p className="flex items-center gap-2 bg-sunken px-3.5 py-2 text-[0.9375rem] text-ink-soft">
      <Icon name="tool" size={16} />
      <span className="min-w-0 flex-1 truncate">
        <code className="font-mono text-[0.875rem] text-ink">{use.title}</code>{' '}
        {toolWords.of(use.serverLabel)}
      </span>
      <CallState use={use} message={message} />
      {!isAsked && (
        <span className="transition-transform duration-150 group-open/call:rotate-180 motion-reduce:transition-none">
          <Icon name="chevronDown" size={15} />
        </span>
      )}
    </p>
  );
}

function CallState({ use, message }: { readonly use: ToolUse; readonly message: Message }) {
  const toolWords = useToolsWords();
  const { states } = toolWords;
  const quiet = 'shrink-0 text-sm text-ink-faint';
  switch (message.state) {
    case 'running':
      return use.consent === 'asked' ? (
        <span className="shrink-0 text-sm text-wait">{states.asked}</span>
      ) : (
        <span role="status" className="flex shrink-0 items-center gap-2 text-sm text-wait">
          <span className="breathing inline-block h-3.5 w-1.5 rounded-sm bg-accent" />
          {states.running}
        </span>
      );
    case 'failed':
      return <span className="shrink-0 text-sm text-danger">{states.failed}</span>;
    case 'stopped':
    case 'interrupted':
      return <span className={quiet}>{states[message.state]}</span>;
    case 'complete':
      if (use.consent === 'refused') return <span className={quiet}>{states.refused}</span>;
      return use.isError ? (
        <span className="shrink-0 text-sm text-wait">{states.toolError}</span>
      ) : (
        <span className={quiet}>{states.done}</span>
      );
  }
}

function Outcome({ message, use }: { readonly message: Message; readonly use: ToolUse }) {
  const toolWords = useToolsWords();
  if (message.state === 'failed') {
    const sentence = toolWords.failures[message.error?.code ?? ''] ?? toolWords.failed;
    return <p className="px-3.5 py-2 text-[0.9375rem] text-danger">{sentence}</p>;
  }
  if (message.state === 'interrupted') {
    return <p className="px-3.5 py-2 text-[0.9375rem] text-wait">{toolWords.interrupted}</p>;
  }
  if (message.state === 'stopped' || use.consent === 'refused') return null;
  return (
    <>
      <Part title={toolWords.result} text={message.content} empty={toolWords.empty} />
      {use.isCut && <p className="px-3.5 pb-2 text-sm text-wait">{toolWords.cut}</p>}
    </>
  );
}

/** Whatever it says, it is text. */
function Part({
  title,
  text,
  empty,
}: {
  readonly title: string;
  readonly text: string;
  readonly empty: string;
}) {
  const isEmpty = text.trim() === '' || text.trim() === '{}';
  return (
    <section className="pt-2" aria-label={title}>
      <h3 className="px-3.5 text-sm font-[600] text-ink-soft">{title}</h3>
      {isEmpty ? (
        <p className="px-3.5 py-2 text-[0.9375rem] text-ink-faint">{empty}</p>
      ) : (
        <div className="max-h-96 overflow-y-auto" tabIndex={0}>
          <NamedValues text={text} isGrowing={false} />
        </div>
      )}
    </section>
  );
}
