import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Message } from '#contract/messages';
import type { SignedReceipt } from '#contract/receipts';
import { CodeBlock } from '../answer/code-block.tsx';
import type { Conversation } from '../chat/conversation.ts';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { useWorkingWords } from '../language/working-words.ts';
import { askedMessages, isWhatWasAsked, requestOf, toolsOf } from './asked-again.ts';
import { codeFor, type CodeLanguage } from './receipt-code.ts';

interface RepeatAsCodeProps {
  readonly signed: SignedReceipt;
  readonly message: Message;
  readonly conversation: Conversation;
  /** Of an answer that was continued. */
  readonly isPart: boolean;
}

/** The same question for other programs, and whether it is the same down to the byte. */
export function RepeatAsCode({ signed, message, conversation, isPart }: RepeatAsCodeProps) {
  const words = useWorkingWords().receipt;
  const client = useClient();
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const { path, settings } = conversation;
  const given = message.context?.space;
  const { data: asked } = useQuery({
    queryKey: ['asked-again', signed.receipt.request_id, path, settings],
    queryFn: async () => {
      const [space, offered] = await Promise.all([
        given?.instructionsAt == null
          ? undefined
          : // Whoever is no member any more reads none of them.
            client
              .call('GET /console/spaces/:projectId', { projectId: given.projectId })
              .catch(() => undefined),
        client.call('GET /console/tools', { query: { told: 'with' } }),
      ]);
      const messages = askedMessages(path, message, [space?.instructions ?? '', settings.systemPrompt]);
      const tools = await toolsOf(signed, settings.parameters, offered.servers);
      return {
        request: requestOf(messages, signed, tools),
        isSame: await isWhatWasAsked(messages, signed.receipt.prompt),
      };
    },
  });
  if (asked === undefined) return null;
  return (
    <>
      <div className="mb-2 flex gap-1.5" role="group" aria-label={words.sheets.code}>
        {(Object.keys(names) as CodeLanguage[]).map((name) => (
          <Button
            key={name}
            size="small"
            aria-pressed={name === language}
            className={chosen}
            onClick={() => setLanguage(name)}
          >
            {names[name]}
          </Button>
        ))}
      </div>
      <div
        className="max-h-[min(26rem,50vh)] overflow-y-auto rounded-lg"
        tabIndex={0}
        role="region"
        aria-label={names[language]}
      >
        <CodeBlock
          code={codeFor(language, signed.receipt.service, asked.request)}
          language={highlighted[language]}
          isGrowing={false}
        />
      </div>
      <p className="mt-2 text-sm text-ink-soft">
        {isPart
          ? words.onlyPart
          : asked.isSame === true
            ? words.sameQuestion
            : asked.isSame === false
              ? words.otherQuestion
              : ''}
      </p>
    </>
  );
}

const names = { curl: 'curl', python: 'Python', r: 'R' } as const;
const highlighted = { curl: 'bash', python: 'python', r: 'r' } as const;
const chosen = 'aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent';
