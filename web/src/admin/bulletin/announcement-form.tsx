import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Announcement, AnnouncementKind } from '#contract/bulletin';
import { AnnouncementText } from '../../app/announcements-bar.tsx';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../design/field.tsx';
import { useBulletinWords } from '../../language/bulletin-words.ts';
import { useWords } from '../../language/language.tsx';

const kinds: readonly AnnouncementKind[] = ['information', 'warning', 'outage'];

interface AnnouncementFormProps {
  /** The one to be changed; without it a new one is made. */
  readonly announcement?: Announcement;
  readonly done?: () => void;
}

/** What is written is seen above the form as others will see it. */
export function AnnouncementForm({ announcement, done }: AnnouncementFormProps) {
  const words = useBulletinWords();
  const general = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(announcement));
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const save = useMutation({
    mutationFn: () => {
      const body = {
        ...draft,
        startsAt: momentOf(draft.startsAt),
        endsAt: momentOf(draft.endsAt),
      };
      return announcement === undefined
        ? client.call('POST /console/administration/announcements', { body })
        : client.call('PATCH /console/administration/announcements/:announcementId', {
            announcementId: announcement.id,
            body,
          });
    },
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.allAnnouncements }),
        queries.invalidateQueries({ queryKey: queryKeys.announcements }),
      ]);
      if (announcement === undefined) setDraft(draftOf(undefined));
      done?.();
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {draft.text.trim() !== '' && (
        <div className="overflow-hidden rounded-lg border border-hairline" aria-hidden="true">
          <AnnouncementText announcement={draft} />
        </div>
      )}
      <TextArea
        label={words.text}
        rows={2}
        required
        maxLength={500}
        value={draft.text}
        problem={save.error === null ? undefined : failureSentence(save.error, general)}
        onChange={(event) => change({ text: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          label={words.kind}
          value={draft.kind}
          onChange={(event) => change({ kind: event.target.value as AnnouncementKind })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {general.announcements.kinds[kind]}
            </option>
          ))}
        </SelectField>
        <TextField
          label={words.from}
          hint={words.fromHint}
          type="datetime-local"
          value={draft.startsAt}
          onChange={(event) => change({ startsAt: event.target.value })}
        />
        <TextField
          label={words.until}
          hint={words.untilHint}
          type="datetime-local"
          value={draft.endsAt}
          onChange={(event) => change({ endsAt: event.target.value })}
        />
      </div>
      <CheckField
        label={words.isDismissible}
        checked={draft.isDismissible}
        onChange={(event) => change({ isDismissible: event.target.checked })}
      />
      <CheckField
        label={words.isOnStatusPage}
        checked={draft.isOnStatusPage}
        onChange={(event) => change({ isOnStatusPage: event.target.checked })}
      />
      <Button type="submit" kind="primary" className="self-start" disabled={save.isPending}>
        {announcement === undefined ? words.announce : words.save}
      </Button>
    </form>
  );
}

interface Draft {
  readonly text: string;
  readonly kind: AnnouncementKind;
  /** As the field has it, in the time of the browser. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly isDismissible: boolean;
  readonly isOnStatusPage: boolean;
}

function draftOf(announcement: Announcement | undefined): Draft {
  return {
    text: announcement?.text ?? '',
    kind: announcement?.kind ?? 'information',
    startsAt: fieldOf(announcement?.startsAt ?? null),
    endsAt: fieldOf(announcement?.endsAt ?? null),
    isDismissible: announcement?.isDismissible ?? true,
    isOnStatusPage: announcement?.isOnStatusPage ?? false,
  };
}

function momentOf(field: string): number | null {
  return field === '' ? null : new Date(field).getTime();
}

function fieldOf(moment: number | null): string {
  if (moment === null) return '';
  const local = new Date(moment - new Date(moment).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
