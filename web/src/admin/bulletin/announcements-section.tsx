import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Announcement } from '#contract/bulletin';
import { AnnouncementText } from '../../app/announcements-bar.tsx';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useNotices } from '../../app/notices.tsx';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Failure } from '../../design/failure.tsx';
import { Moment } from '../../design/moment.tsx';
import { Section } from '../../design/section.tsx';
import { useBulletinWords } from '../../language/bulletin-words.ts';
import { useWords } from '../../language/language.tsx';
import { AnnouncementForm } from './announcement-form.tsx';

export function AnnouncementsSection() {
  const words = useBulletinWords();
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.allAnnouncements,
    queryFn: () => client.call('GET /console/administration/announcements', {}),
  });
  return (
    <>
      <Section title={words.make} lead={words.makeLead}>
        <AnnouncementForm />
      </Section>
      <Section title={words.list}>
        {error !== null && <Failure failure={error} retry={() => void refetch()} />}
        {data?.announcements.length === 0 && <p className="text-ink-soft">{words.none}</p>}
        <ul aria-label={words.list} className="flex flex-col gap-5">
          {data?.announcements.map((announcement) => (
            <AnnouncementItem key={announcement.id} announcement={announcement} />
          ))}
        </ul>
      </Section>
    </>
  );
}

function AnnouncementItem({ announcement }: { readonly announcement: Announcement }) {
  const words = useBulletinWords();
  const general = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [open, setOpen] = useState<'change' | 'remove'>();
  const state = stateOf(announcement, Date.now());
  const settled = {
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.allAnnouncements }),
        queries.invalidateQueries({ queryKey: queryKeys.announcements }),
      ]),
    onError: (failure: unknown) => notices.complain(failureSentence(failure, general)),
  };
  const announcementId = announcement.id;
  const end = useMutation({
    mutationFn: () => {
      const now = Date.now();
      return client.call('PATCH /console/administration/announcements/:announcementId', {
        announcementId,
        body: { startsAt: Math.min(announcement.startsAt, now), endsAt: now },
      });
    },
    ...settled,
  });
  const remove = useMutation({
    mutationFn: () =>
      client.call('DELETE /console/administration/announcements/:announcementId', { announcementId }),
    ...settled,
  });
  return (
    <li>
      <div
        className={`overflow-hidden rounded-lg border border-hairline ${state === 'over' ? 'grayscale' : ''}`}
      >
        <AnnouncementText announcement={announcement} />
      </div>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 text-[0.9375rem] text-ink-soft">
          <span className={state === 'current' ? 'text-accent-strong' : undefined}>
            {words.states[state]}
          </span>
          {' · '}
          <Moment at={announcement.startsAt} /> –{' '}
          {announcement.endsAt === null ? words.untilEnded : <Moment at={announcement.endsAt} />}
          {announcement.isOnStatusPage && ` · ${words.isOnStatusPage}`}
        </p>
        <div className="flex gap-2">
          {state !== 'over' && (
            <Button size="small" disabled={end.isPending} onClick={() => end.mutate()}>
              {words.end}
            </Button>
          )}
          <Button size="small" onClick={() => setOpen('change')}>
            {words.change}
          </Button>
          <Button size="small" onClick={() => setOpen('remove')}>
            {words.remove}
          </Button>
        </div>
      </div>
      <Dialog isOpen={open === 'change'} close={() => setOpen(undefined)} title={words.change} isWide>
        <AnnouncementForm announcement={announcement} done={() => setOpen(undefined)} />
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'remove'}
        close={() => setOpen(undefined)}
        title={words.removeTitle}
        sentence={words.removeQuestion}
        action={words.remove}
        confirm={() => remove.mutate()}
      />
    </li>
  );
}

function stateOf({ startsAt, endsAt }: Announcement, now: number): 'current' | 'coming' | 'over' {
  if (endsAt !== null && endsAt <= now) return 'over';
  return startsAt > now ? 'coming' : 'current';
}
