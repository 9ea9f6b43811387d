import { Menu } from '@base-ui/react/menu';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonRecord } from '#contract/administration';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useSession } from '../app/session.tsx';
import { useClient } from '../client/client-context.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { CopyField } from '../design/copy-field.tsx';
import { Dialog } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { MenuEntry, MenuLine, MenuPlate } from '../design/menu.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { PersonKeysDialog } from './person-keys-dialog.tsx';

/** What an administrator can do with somebody; the menu and what it asks. */
export function PersonActions({ person }: { readonly person: PersonRecord }) {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const { person: self } = useSession();
  const [open, setOpen] = useState<'disable' | 'keys'>();
  const [link, setLink] = useState<string>();
  const personId = person.id;
  const handlers = {
    onSettled: () => queries.invalidateQueries({ queryKey: ['administration'] }),
    onError: (failure: unknown) => notices.complain(failureSentence(failure, words)),
  };
  const change = useMutation({
    mutationFn: (body: { state?: 'active' | 'disabled'; role?: PersonRecord['role'] }) =>
      client.call('PATCH /console/administration/people/:personId', { personId, body }),
    ...handlers,
  });
  const signOut = useMutation({
    mutationFn: () => client.call('POST /console/administration/people/:personId/sign-out', { personId }),
    onSuccess: () => notices.tell(words.administration.signedOut(person.name)),
    ...handlers,
  });
  const makeLink = useMutation({
    mutationFn: () => client.call('POST /console/administration/people/:personId/sign-in-link', { personId }),
    onSuccess: ({ url }) => setLink(url),
    onError: handlers.onError,
  });
  const isSelf = self.id === personId;
  const otherRole = person.role === 'administrator' ? 'person' : 'administrator';
  return (
    <>
      <Menu.Root>
        <Menu.Trigger render={<IconButton icon="more" label={words.administration.actions(person.name)} />} />
        <MenuPlate align="end">
          <MenuEntry icon="key" onClick={() => setOpen('keys')}>
            {words.administration.showKeys}
          </MenuEntry>
          <MenuEntry icon="link" onClick={() => makeLink.mutate()}>
            {words.administration.makeLink}
          </MenuEntry>
          {!isSelf && (
            <>
              <MenuEntry icon="shield" onClick={() => change.mutate({ role: otherRole })}>
                {otherRole === 'administrator' ? words.administration.promote : words.administration.demote}
              </MenuEntry>
              <MenuEntry icon="signOut" onClick={() => signOut.mutate()}>
                {words.administration.signOutEverywhere}
              </MenuEntry>
              <MenuLine />
              {(person.state === 'pending' || person.state === 'disabled') && (
                <MenuEntry icon="check" onClick={() => change.mutate({ state: 'active' })}>
                  {person.state === 'pending' ? words.administration.letIn : words.administration.enable}
                </MenuEntry>
              )}
              {person.state !== 'disabled' && (
                <MenuEntry icon="close" isDanger onClick={() => setOpen('disable')}>
                  {words.administration.disable}
                </MenuEntry>
              )}
            </>
          )}
        </MenuPlate>
      </Menu.Root>
      <ConfirmDialog
        isOpen={open === 'disable'}
        close={() => setOpen(undefined)}
        title={words.administration.disableTitle(person.name)}
        sentence={words.administration.disableQuestion}
        action={words.administration.disable}
        confirm={() => change.mutate({ state: 'disabled' })}
      />
      <PersonKeysDialog person={person} isOpen={open === 'keys'} close={() => setOpen(undefined)} />
      <Dialog
        isOpen={link !== undefined}
        close={() => setLink(undefined)}
        title={words.administration.linkTitle(person.name)}
        description={words.administration.linkLead}
      >
        <CopyField label={words.share.link} text={link ?? ''} copyLabel={words.share.copyLink} />
      </Dialog>
    </>
  );
}
