import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Message } from '#contract/messages';
import type { SignedReceipt } from '#contract/receipts';
import type { Conversation } from '../chat/conversation.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button, buttonClasses } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { Failure } from '../design/failure.tsx';
import { Icon } from '../design/icon.tsx';
import { useWorkingWords } from '../language/working-words.ts';
import { RepeatAsCode } from './repeat-as-code.tsx';
import { ReceiptFacts } from './receipt-facts.tsx';
import { CodeBlock } from '../answer/code-block.tsx';
import { bibtexFor } from './receipt-code.ts';

interface ReceiptDialogProps {
  readonly message: Message;
  readonly conversation: Conversation;
  readonly close: () => void;
}

/** What stands behind one answer, and what can be done with that. */
export function ReceiptDialog({ message, conversation, close }: ReceiptDialogProps) {
  const words = useWorkingWords().receipt;
  const client = useClient();
  const parts = message.requestIds;
  const [part, setPart] = useState(parts.length - 1);
  const requestId = parts[part] ?? '';
  const { data: signed, error } = useQuery({
    queryKey: queryKeys.receipt(requestId),
    queryFn: () => client.call('GET /console/receipts/:requestId', { requestId }),
    retry: false,
  });
  const seed = signed?.receipt.seed?.value;
  return (
    <Dialog isOpen close={close} title={words.title} description={words.explained} isWide>
      {parts.length > 1 && (
        <div className="mb-4 flex flex-wrap gap-1.5" role="group" aria-label={words.parts}>
          {parts.map((id, index) => (
            <Button key={id} size="small" aria-pressed={index === part} onClick={() => setPart(index)}>
              {words.part(index + 1, parts.length)}
            </Button>
          ))}
        </div>
      )}
      {error !== null && <Failure failure={error} />}
      {signed !== undefined && (
        <Sheets signed={signed} message={message} conversation={conversation} isPart={part > 0} />
      )}
      {signed !== undefined && (
        <DialogActions>
          <a
            href={client.address('GET /console/receipts/:requestId', { requestId })}
            download={`receipt-${requestId}.json`}
            className={buttonClasses('plain')}
          >
            <Icon name="download" size={16} />
            {words.download}
          </a>
          <Button
            kind="primary"
            disabled={conversation.running !== undefined}
            onClick={() => {
              conversation.working?.runAgain(message, seed);
              close();
            }}
          >
            {words.runAgain}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

interface SheetsProps {
  readonly signed: SignedReceipt;
  readonly message: Message;
  readonly conversation: Conversation;
  /** Of an answer that was continued. */
  readonly isPart: boolean;
}

function Sheets({ signed, message, conversation, isPart }: SheetsProps) {
  const words = useWorkingWords().receipt;
  return (
    <Tabs.Root defaultValue="facts">
      <Tabs.List className="mb-3 flex gap-1 border-b border-hairline">
        {(['facts', 'code', 'cite'] as const).map((sheet) => (
          <Tabs.Tab key={sheet} value={sheet} className={tabClasses}>
            {words.sheets[sheet]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="facts">
        <ReceiptFacts signed={signed} />
      </Tabs.Panel>
      <Tabs.Panel value="code">
        <RepeatAsCode signed={signed} message={message} conversation={conversation} isPart={isPart} />
      </Tabs.Panel>
      <Tabs.Panel value="cite">
        <CodeBlock code={bibtexFor(signed)} language="bibtex" isGrowing={false} />
        <p className="mt-2 text-sm text-ink-soft">{words.citeHint}</p>
      </Tabs.Panel>
    </Tabs.Root>
  );
}

const tabClasses =
  '-mb-px cursor-pointer border-b-2 border-transparent px-3 py-1.5 text-[0.9375rem] text-ink-soft transition-colors duration-150 hover:text-ink data-active:border-accent data-active:text-ink aria-selected:border-accent aria-selected:text-ink';
