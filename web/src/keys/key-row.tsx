import { Menu } from '@base-ui/react/menu';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '#contract/keys';
import type { ProjectStanding } from '#contract/projects';
import { everyone } from '../standing/everyone.ts';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { RenameDialog } from '../chat/rename-dialog.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { classes } from '../design/classes.ts';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { MenuEntry, MenuLine, MenuPlate } from '../design/menu.tsx';
import { Moment } from '../design/moment.tsx';
import { useLanguageTag, useListed } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import type { NewSecret } from './new-secret-dialog.tsx';
import { describeLimit } from '../standing/describe-limit.ts';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly reveal: (secret: NewSecret) => void;
  /** What limits this key alone. */
  readonly limits: readonly ProjectStanding[];
}

export function KeyRow({ apiKey, reveal, limits }: KeyRowProps) {
  const words = usePagesWords();
  const tag = useLanguageTag();
  const listed = useListed();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [open, setOpen] = useState<'rename' | 'rotate' | 'revoke'>();
  const close = () => setOpen(undefined);
  const onSettled = () => queries.invalidateQueries({ queryKey: queryKeys.keys });
  const onError = (failure: unknown) => notices.complain(failureSentence(failure, words));
  const revoke = useMutation({
    mutationFn: () => client.call('DELETE /console/keys/:keyId', { keyId: apiKey.id }),
    onSuccess: () => notices.tell(words.keys.revoked(apiKey.name)),
    onSettled,
    onError,
  });
  const rename = useMutation({
    mutationFn: (name: string) =>
      client.call('PATCH /console/keys/:keyId', { keyId: apiKey.id, body: { name } }),
    onSettled,
    onError,
  });
  const isActive = apiKey.state === 'active';
  return (
    <li
      className={classes(
        'flex items-start gap-4 border-t border-hairline py-4 first:border-0',
        !isActive && 'text-ink-faint',
      )}
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-[600] break-words">{apiKey.name}</span>
          <code dir="ltr" className="font-mono text-[0.84375rem] text-ink-soft">
            {apiKey.prefix}…
          </code>
          {!isActive && <span className="text-sm text-danger">{words.keys.states[apiKey.state]}</span>}
          {isActive && apiKey.projectState !== 'open' && (
            <span className="text-sm text-danger">{words.keys.projectStates[apiKey.projectState]}</span>
          )}
          {isActive && apiKey.isReplaced && <span className="text-sm text-wait">{words.keys.replaced}</span>}
        </p>
        <dl className="mt-1 flex flex-wrap gap-x-5 text-[0.9375rem] text-ink-soft">
          <Fact name={words.keys.created}>
            <Moment at={apiKey.createdAt} />
          </Fact>
          <Fact name={words.keys.lastUsed}>
            <Moment at={apiKey.lastUsedAt} />
            {apiKey.lastUsedFrom !== null && ` ${words.keys.from(apiKey.lastUsedFrom)}`}
          </Fact>
          <Fact name={isActive && apiKey.isReplaced ? words.keys.stopsWorking : words.keys.expires}>
            <Moment at={apiKey.expiresAt} />
          </Fact>
          {apiKey.projectId !== everyone && <Fact name={words.keys.project}>{apiKey.projectName}</Fact>}
          {apiKey.isBackground && <Fact name={words.keys.class}>{words.keys.backgroundClass}</Fact>}
          {apiKey.models.length > 0 && <Fact name={words.keys.models}>{listed(apiKey.models)}</Fact>}
          {apiKey.networks.length > 0 && <Fact name={words.keys.networks}>{listed(apiKey.networks)}</Fact>}
          {isActive && limits.length > 0 && (
            <Fact name={words.keys.limits}>
              {listed(limits.map((line) => describeLimit(line, words.standing, tag)))}
            </Fact>
          )}
        </dl>
      </div>
      {isActive && (
        <Menu.Root>
          <Menu.Trigger render={<IconButton icon="more" label={words.keys.actions(apiKey.name)} />} />
          <MenuPlate align="end">
            <MenuEntry icon="pencil" onClick={() => setOpen('rename')}>
              {words.keys.rename}
            </MenuEntry>
            {!apiKey.isReplaced && (
              <MenuEntry icon="refresh" onClick={() => setOpen('rotate')}>
                {words.keys.rotate}
              </MenuEntry>
            )}
            <MenuLine />
            <MenuEntry icon="trash" isDanger onClick={() => setOpen('revoke')}>
              {words.keys.revoke}
            </MenuEntry>
          </MenuPlate>
        </Menu.Root>
      )}
      <RenameDialog
        isOpen={open === 'rename'}
        title={apiKey.name}
        close={close}
        rename={(name) => rename.mutate(name)}
      />
      <RotateKeyDialog isOpen={open === 'rotate'} apiKey={apiKey} close={close} reveal={reveal} />
      <ConfirmDialog
        isOpen={open === 'revoke'}
        close={close}
        title={words.keys.revokeTitle(apiKey.name)}
        sentence={words.keys.revokeQuestion}
        action={words.keys.revoke}
        confirm={() => revoke.mutate()}
      />
    </li>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-ink-faint">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
