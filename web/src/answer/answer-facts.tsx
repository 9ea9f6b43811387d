import { Popover } from '@base-ui/react/popover';
import { lazy, Suspense, useState } from 'react';
import type { Message } from '#contract/messages';
import type { Model } from '#contract/models';
import type { Conversation } from '../chat/conversation.ts';
import { buttonClasses } from '../design/button.tsx';
import { classes } from '../design/classes.ts';
import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useLanguageTag, useWords } from '../language/language.tsx';
import { useWorkingWords } from '../language/working-words.ts';

const ReceiptDialog = lazy(async () => ({
  default: (await import('../receipt/receipt-dialog.tsx')).ReceiptDialog,
}));

interface AnswerFactsProps {
  readonly message: Message;
  /** The model that answered, if it is still served. */
  readonly model: Model | undefined;
  readonly conversation: Conversation;
}

/** Counts and speed, for those who ask. */
export function AnswerFacts({ message, model, conversation }: AnswerFactsProps) {
  const [isReceiptOpen, setIsReceiptOpen] = useState(false);
  const words = useWords();
  const working = useWorkingWords();
  const tag = useLanguageTag();
  const facts = factsOf(
    message,
    model,
    words.answer.facts,
    new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }),
  );
  const hasReceipt = message.requestIds.length > 0 && conversation.working !== undefined;
  // Of an answer from elsewhere nothing may be known.
  if (facts.length === 0 && !hasReceipt) return null;
  return (
    <>
      <Popover.Root>
        <Popover.Trigger render={<IconButton icon="info" size="small" label={words.answer.showFacts} />} />
        <Popover.Portal>
          <Popover.Positioner align="start" sideOffset={6} className="z-40">
            <Popover.Popup
              className="floating px-4 py-3 text-[0.9375rem]"
              aria-label={words.answer.showFacts}
            >
              <dl className="grid grid-cols-[auto_auto] gap-x-6 gap-y-1">
                {facts.map(([name, value]) => (
                  <div key={name} className="contents">
                    <dt className="text-ink-soft">{name}</dt>
                    <dd className="text-end tabular-nums">{value}</dd>
                  </div>
                ))}
              </dl>
              {hasReceipt && (
                <Popover.Close
                  className={classes(buttonClasses('plain', 'small'), 'mt-3 w-full')}
                  onClick={() => setIsReceiptOpen(true)}
                >
                  <Icon name="receipt" size={15} />
                  {working.receipt.open}
                </Popover.Close>
              )}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {isReceiptOpen && (
        <Suspense>
          <ReceiptDialog
            message={message}
            conversation={conversation}
            close={() => setIsReceiptOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

type FactNames = ReturnType<typeof useWords>['answer']['facts'];

function factsOf(
  message: Message,
  model: Model | undefined,
  names: FactNames,
  numbers: Intl.NumberFormat,
): [string, string][] {
  const { usage, timings } = message;
  const facts: [string, string][] = [];
  if (message.model !== null) facts.push([names.model, message.model]);
  if (model?.isForTryingOut === true) facts.push([names.kind, names.forTryingOut]);
  if (message.effort !== null) facts.push([names.effort, message.effort]);
  if (usage !== null) {
    facts.push([names.input, numbers.format(usage.inputTokens)]);
    if (usage.cachedTokens > 0) facts.push([names.cached, numbers.format(usage.cachedTokens)]);
    facts.push([names.output, numbers.format(usage.outputTokens)]);
    if (usage.reasoningTokens > 0) facts.push([names.reasoning, numbers.format(usage.reasoningTokens)]);
  }
  if (timings !== null) {
    if (timings.firstTokenMs !== null)
      facts.push([names.firstToken, `${numbers.format(timings.firstTokenMs / 1000)} s`]);
    facts.push([names.total, `${numbers.format(timings.totalMs / 1000)} s`]);
    const writingMs = timings.totalMs - (timings.firstTokenMs ?? 0);
    if (usage !== null && writingMs > 0) {
      facts.push([names.speed, numbers.format((usage.outputTokens / writingMs) * 1000)]);
    }
  }
  return facts;
}
