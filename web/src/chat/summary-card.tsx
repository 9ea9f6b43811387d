import { useState } from 'react';
import type { Summary } from '#contract/summaries';
import { maxSummaryCharacters } from '#contract/summary-limits';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { TextArea } from '../design/field.tsx';
import { useContextWords } from '../language/context-words.ts';
import { useWords } from '../language/language.tsx';

interface SummaryCardProps {
  readonly chatId: string;
  readonly messageId: string;
  readonly summary: Summary;
  /** From now on, in this chat. */
  readonly leaveOut: () => void;
}

/** What the model reads instead of the messages above. Whatever changes comes back as news of the chat. */
export function SummaryCard({ chatId, messageId, summary, leaveOut }: SummaryCardProps) {
  const words = useWords();
  const own = useContextWords();
  const client = useClient();
  const notices = useNotices();
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);

  async function change(call: () => Promise<unknown>): Promise<void> {
    setIsBusy(true);
    try {
      await call();
      setDraft(undefined);
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
    } finally {
      setIsBusy(false);
    }
  }
  const save = (text: string) =>
    change(() =>
      client.call('PUT /console/chats/:chatId/messages/:messageId/summary', {
        chatId,
        messageId,
        body: { text },
      }),
    );
  const drop = () =>
    change(async () => {
      await client.call('DELETE /console/chats/:chatId/messages/:messageId/summary', { chatId, messageId });
      leaveOut();
    });

  return (
    <section
      aria-label={own.summary.title}
      className="mt-8 rounded-xl border border-hairline bg-sunken px-4 py-3 text-[0.9375rem]"
    >
      {draft === undefined ? (
        <>
          <h3 className="flex flex-wrap items-baseline gap-x-2 font-[600]">
            {own.summary.title}
            <span className="text-sm font-normal text-ink-faint">
              {summary.isEdited ? own.summary.edited : own.summary.by(summary.model)}
            </span>
          </h3>
          <p
            dir="auto"
            className="mt-1.5 max-h-64 overflow-y-auto whitespace-pre-wrap text-ink-soft"
            tabIndex={0}
          >
            {summary.text}
          </p>
          <div className="-ms-2.5 mt-2 flex flex-wrap gap-1">
            <Button kind="quiet" size="small" onClick={() => setDraft(summary.text)}>
              {own.summary.edit}
            </Button>
            <Button kind="quiet" size="small" disabled={isBusy} onClick={() => void drop()}>
              {own.summary.leaveOut}
            </Button>
          </div>
        </>
      ) : (
        <form
          className="mt-2 flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void save(draft.trim());
          }}
        >
          <TextArea
            label={own.summary.title}
            rows={8}
            dir="auto"
            maxLength={maxSummaryCharacters}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <div className="flex gap-2">
            <Button kind="primary" size="small" type="submit" disabled={isBusy || draft.trim() === ''}>
              {words.general.save}
            </Button>
            <Button kind="quiet" size="small" onClick={() => setDraft(undefined)}>
              {words.general.cancel}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
