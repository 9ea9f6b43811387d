import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignedReceipt } from '#contract/receipts';
import { CodeBlock } from '../answer/code-block.tsx';
import { Button } from '../design/button.tsx';
import { useWorkingWords } from '../language/working-words.ts';
import { isWhatWasAsked } from './asked-again.ts';
import { codeFor, type CodeLanguage } from './receipt-code.ts';

interface RepeatAsCodeProps {
  readonly signed: SignedReceipt;
  readonly messages: readonly object[];
  readonly request: Record<string, unknown>;
  /** Of an answer that was continued. */
  readonly isPart: boolean;
}

/** The same question for other programs, and whether it is the same down to the byte. */
export function RepeatAsCode({ signed, messages, request, isPart }: RepeatAsCodeProps) {
  const words = useWorkingWords().receipt;
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const { data: isSame } = useQuery({
    queryKey: ['is-what-was-asked', signed.receipt.request_id, messages],
    queryFn: async () => (await isWhatWasAsked(messages, signed)) ?? null,
  });
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
          code={codeFor(language, signed.receipt.service, request)}
          language={highlighted[language]}
          isGrowing={false}
        />
      </div>
      <p className="mt-2 text-sm text-ink-soft">
        {isPart
          ? words.onlyPart
          : isSame === true
            ? words.sameQuestion
            : isSame === false
              ? words.otherQuestion
              : ''}
      </p>
    </>
  );
}

const names = { curl: 'curl', python: 'Python', r: 'R' } as const;
const highlighted = { curl: 'bash', python: 'python', r: 'r' } as const;
const chosen = 'aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent';
