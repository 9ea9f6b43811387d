import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { PersonRecord } from '#contract/administration';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useClient } from '../../client/client-context.tsx';
import { Button, buttonClasses } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Icon } from '../../design/icon.tsx';
import { Section } from '../../design/section.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';

/** Disable, export, remove: one after the other, so that nothing is lost in a hurry. */
export function PersonRemoval({ person }: { readonly person: PersonRecord }) {
  const words = usePagesWords();
  const { people } = useManageWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [, goTo] = useLocation();
  const [asked, setAsked] = useState<'disable' | 'remove'>();
  const { id: personId, name } = person;
  const isDisabled = person.state === 'disabled';
  const onError = (failure: unknown) => notices.complain(failureSentence(failure, words));
  const readAgain = () => queries.invalidateQueries({ queryKey: ['administration'] });
  const disable = useMutation({
    mutationFn: () =>
      client.call('PATCH /console/administration/people/:personId', {
        personId,
        body: { state: 'disabled' },
      }),
    onSettled: readAgain,
    onError,
  });
  const remove = useMutation({
    mutationFn: () => client.call('DELETE /console/administration/people/:personId', { personId }),
    onSuccess: async () => {
      goTo('/administration/people');
      await readAgain();
      notices.tell(people.removed(name));
    },
    onError,
  });
  const exportOf = (part: 'account' | 'chats') =>
    client.address('GET /console/administration/people/:personId/export', { personId, query: { part } });
  return (
    <Section title={people.remove} lead={people.removeLead}>
      <ol className="flex flex-col gap-4">
        <Step number={1}>
          {isDisabled ? (
            <p className="flex min-h-9 items-center gap-2 text-[0.9375rem]">
              <span className="text-accent">
                <Icon name="check" size={16} />
              </span>
              {people.disabled}
            </p>
          ) : (
            <Button onClick={() => setAsked('disable')}>{words.administration.disable}</Button>
          )}
        </Step>
        <Step number={2}>
          <div className="flex flex-wrap gap-x-6 gap-y-3">
            <Export
              label={people.exportAccount}
              hint={people.exportAccountHint}
              address={exportOf('account')}
            />
            <Export
              label={people.exportChats}
              hint={people.exportChatsHint}
              address={isDisabled ? exportOf('chats') : undefined}
            />
          </div>
        </Step>
        <Step number={3}>
          <Button kind="danger" disabled={!isDisabled || remove.isPending} onClick={() => setAsked('remove')}>
            {people.removeForGood}
          </Button>
        </Step>
      </ol>
      <ConfirmDialog
        isOpen={asked === 'disable'}
        close={() => setAsked(undefined)}
        title={words.administration.disableTitle(name)}
        sentence={words.administration.disableQuestion}
        action={words.administration.disable}
        confirm={() => disable.mutate()}
      />
      <ConfirmDialog
        isOpen={asked === 'remove'}
        close={() => setAsked(undefined)}
        title={people.removeTitle(name)}
        sentence={people.removeQuestion}
        action={people.removeForGood}
        confirm={() => remove.mutate()}
      />
    </Section>
  );
}

function Step({ number, children }: { readonly number: number; readonly children: ReactNode }) {
  const { people } = useManageWords();
  return (
    <li className="flex items-start gap-4">
      <span
        aria-label={people.step(number)}
        className="mt-1 inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken text-sm font-[600]"
      >
        {number}
      </span>
      <div className="min-w-0">{children}</div>
    </li>
  );
}

interface ExportProps {
  readonly label: string;
  readonly hint: string;
  /** Undefined: not yet. */
  readonly address: string | undefined;
}

function Export({ label, hint, address }: ExportProps) {
  const content = (
    <>
      <Icon name="download" size={16} />
      {label}
    </>
  );
  return (
    <div>
      {address === undefined ? (
        <Button disabled>{content}</Button>
      ) : (
        <a href={address} download className={buttonClasses('plain')}>
          {content}
        </a>
      )}
      <p className="mt-1 max-w-60 text-sm text-ink-soft">{hint}</p>
    </div>
  );
}
