import { useState } from 'react';
import type { Message, ToolConsent, ToolUse } from '#contract/messages';
import { NamedValues } from '../answer/named-values.tsx';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { useWords } from '../language/language.tsx';
import { useToolsWords } from '../language/tools-words.ts';

interface ConsentQuestionProps {
  readonly message: Message;
  readonly use: ToolUse;
  /** The arguments as the model wrote them. */
  readonly sent: string;
}

/** Shows what would be sent, and asks. Nothing goes anywhere before one of these buttons is pressed. */
export function ConsentQuestion({ message, use, sent }: ConsentQuestionProps) {
  const words = useWords();
  const toolWords = useToolsWords();
  const client = useClient();
  const notices = useNotices();
  const [isDecided, setIsDecided] = useState(false);
  const decide = async (decision: ToolConsent | 'refuse') => {
    if (message.generationId === null) return;
    setIsDecided(true);
    try {
      await client.call('POST /console/generations/:generationId/consent', {
        generationId: message.generationId,
        body: { decision },
      });
    } catch (failure) {
      setIsDecided(false);
      notices.complain(failureSentence(failure, words));
    }
  };
  const isEmpty = sent.trim() === '' || sent.trim() === '{}';
  return (
    <div className="border-t border-hairline">
      <p role="status" className="px-3.5 pt-2.5 text-[0.9375rem]">
        {toolWords.asks(use.serverLabel)}
      </p>
      {isEmpty ? (
        <p className="px-3.5 py-2 text-[0.9375rem] text-ink-faint">{toolWords.nothingSent}</p>
      ) : (
        <div className="max-h-72 overflow-y-auto" tabIndex={0} aria-label={toolWords.sent} role="group">
          <NamedValues text={sent} isGrowing={false} />
        </div>
      )}
      <div className="flex flex-wrap gap-2 px-3.5 pt-1 pb-3.5">
        <Button kind="primary" size="small" disabled={isDecided} onClick={() => void decide('once')}>
          {toolWords.allowOnce}
        </Button>
        <Button size="small" disabled={isDecided} onClick={() => void decide('chat')}>
          {toolWords.allowInChat}
        </Button>
        <Button size="small" disabled={isDecided} onClick={() => void decide('always')}>
          {toolWords.allowAlways}
        </Button>
        <Button kind="quiet" size="small" disabled={isDecided} onClick={() => void decide('refuse')}>
          {toolWords.refuse}
        </Button>
      </div>
    </div>
  );
}
