import type { Incident } from '#contract/bulletin';
import { Moment } from '../design/moment.tsx';
import { useStatusWords } from '../language/status-words.ts';
import { useLanguageTag, useListed } from '../language/language.tsx';

/** One incident with everything that was said about it, the newest first. */
export function IncidentStory({ incident }: { readonly incident: Incident }) {
  const words = useStatusWords();
  const listed = useListed();
  // By the clock: "since now" and "since five minutes ago" are no sentences.
  const time = new Intl.DateTimeFormat(useLanguageTag(), { dateStyle: 'medium', timeStyle: 'short' });
  const isOpen = incident.resolvedAt === null;
  return (
    <article className="border-t border-hairline py-4 first:border-0 first:pt-0">
      <h3 dir="auto" className="text-match font-[600] break-words">
        {incident.title}
      </h3>
      <p className="text-[0.9375rem] text-ink-soft">
        <span className={isOpen ? tones[incident.impact] : undefined}>
          {words.impacts[incident.impact]} · {isOpen ? words.open : words.resolved}
        </span>
        {', '}
        {incident.resolvedAt === null
          ? `${words.since} ${time.format(incident.startedAt)}`
          : time.formatRange(incident.startedAt, incident.resolvedAt)}
        {incident.models.length > 0 && ` · ${words.concerns(listed(incident.models))}`}
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {incident.updates.toReversed().map((update) => (
          <li key={update.at} className="border-s-2 border-hairline ps-3">
            <p dir="auto" className="text-match break-words whitespace-pre-line">
              {update.text}
            </p>
            <p className="text-[0.8125rem] text-ink-faint">
              <Moment at={update.at} />
            </p>
          </li>
        ))}
      </ul>
    </article>
  );
}

const tones = { maintenance: 'text-accent-strong', degraded: 'text-wait', outage: 'text-danger' } as const;
