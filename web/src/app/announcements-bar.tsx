import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AnnouncementKind, ShownAnnouncement } from '#contract/bulletin';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Icon, type IconName } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';

const lookEveryMs = 60_000;

/** What the operators tell everybody, above whatever one is doing: the gravest word, and the others when asked for. */
export function AnnouncementsBar() {
  const words = useWords().announcements;
  const client = useClient();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: queryKeys.announcements,
    queryFn: () => client.call('GET /console/announcements', {}),
    refetchInterval: lookEveryMs,
  });
  const dismiss = useMutation({
    mutationFn: (announcementId: string) =>
      client.call('POST /console/announcements/:announcementId/dismiss', { announcementId }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.announcements }),
  });
  const [isUnfolded, setIsUnfolded] = useState(false);
  if (data === undefined || data.announcements.length === 0) return null;
  const all = data.announcements.toSorted(byGravity);
  const others = all.length - 1;
  return (
    <section aria-label={words.label} className="max-h-[40vh] shrink-0 overflow-y-auto">
      {all.slice(0, isUnfolded ? undefined : 1).map((announcement, index) => (
        <AnnouncementText key={announcement.id} announcement={announcement}>
          {index === 0 && others > 0 && (
            <button
              type="button"
              aria-expanded={isUnfolded}
              className="shrink-0 rounded-md px-2 py-1 text-ink-soft transition-colors duration-150 hover:bg-pressed hover:text-ink"
              onClick={() => setIsUnfolded(!isUnfolded)}
            >
              {isUnfolded ? words.fewer : words.more(others)}
            </button>
          )}
          {announcement.isDismissible && (
            <IconButton
              icon="close"
              label={words.dismiss}
              disabled={dismiss.isPending}
              onClick={() => dismiss.mutate(announcement.id)}
            />
          )}
        </AnnouncementText>
      ))}
    </section>
  );
}

interface AnnouncementTextProps {
  readonly announcement: Pick<ShownAnnouncement, 'text' | 'kind'>;
  readonly children?: ReactNode;
}

/** Plain text: nothing in it becomes a link or a picture. */
export function AnnouncementText({ announcement, children }: AnnouncementTextProps) {
  const words = useWords().announcements;
  const { icon, wash, tone } = looks[announcement.kind];
  return (
    <div className={`flex items-center gap-3 border-b border-hairline px-4 py-2 text-[0.9375rem] ${wash}`}>
      <span className={tone} title={words.kinds[announcement.kind]}>
        <Icon name={icon} size={17} />
        <span className="sr-only">{words.kinds[announcement.kind]}</span>
      </span>
      <p role="status" dir="auto" className="text-match min-w-0 flex-1 break-words whitespace-pre-line">
        {announcement.text}
      </p>
      {children}
    </div>
  );
}

const looks: Readonly<Record<AnnouncementKind, { icon: IconName; wash: string; tone: string }>> = {
  information: { icon: 'info', wash: 'bg-accent-wash', tone: 'text-accent-strong' },
  warning: { icon: 'warning', wash: 'bg-wait-wash', tone: 'text-wait' },
  outage: { icon: 'warning', wash: 'bg-danger-wash', tone: 'text-danger' },
};

/** Those of the same kind stay as they come. */
function byGravity(one: ShownAnnouncement, other: ShownAnnouncement): number {
  return gravity.indexOf(one.kind) - gravity.indexOf(other.kind);
}

const gravity: readonly AnnouncementKind[] = ['outage', 'warning', 'information'];
