import { Link } from 'wouter';
import type { PersonRecord } from '#contract/administration';
import { classes } from '../design/classes.ts';
import { Moment } from '../design/moment.tsx';
import { NamesInShort } from '../design/names-in-short.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { formatBytes } from '../standing/format-bytes.ts';
import { PersonActions } from './person-actions.tsx';

export function PersonRow({ person }: { readonly person: PersonRecord }) {
  const words = usePagesWords();
  const tag = useLanguageTag();
  return (
    <li
      className={classes(
        'flex items-start gap-4 border-t border-hairline py-3.5 first:border-0',
        person.state === 'disabled' && 'text-ink-faint',
      )}
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <Link
            href={`/administration/people/${encodeURIComponent(person.id)}`}
            className="font-[600] break-words underline-offset-3 hover:underline"
          >
            {person.name}
          </Link>
          <span className="text-[0.9375rem] break-all text-ink-soft">{person.email}</span>
          {person.role === 'administrator' && (
            <span className="rounded-full bg-accent-wash px-2 py-0.5 text-[0.8125rem] text-accent-strong">
              {words.roles.administrator}
            </span>
          )}
          {person.state !== 'active' && (
            <span className={person.state === 'pending' ? 'text-sm text-wait' : 'text-sm text-danger'}>
              {words.administration.states[person.state]}
            </span>
          )}
        </p>
        <p className="text-[0.9375rem] text-ink-soft">
          {words.administration.lastSeen} <Moment at={person.lastSeenAt} /> ·{' '}
          {[
            words.administration.activeKeys(person.activeKeys),
            ...(person.storage.usedBytes > 0 ? [formatBytes(person.storage.usedBytes, tag)] : []),
            ...(person.provider === null ? [] : [person.provider]),
          ].join(' · ')}
          {person.projects.length > 0 && (
            <>
              {' · '}
              <NamesInShort names={person.projects.map(({ name }) => name)} most={3} separator=" · " />
            </>
          )}
        </p>
      </div>
      <PersonActions person={person} />
    </li>
  );
}
