import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelStatus, ServiceState, StatusReport } from '#contract/status';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { durationInWords, shareInWords } from '../design/amounts.ts';
import { Moment } from '../design/moment.tsx';
import { Section } from '../design/section.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { useStatusWords } from '../language/status-words.ts';
import { DayBars, DayLine } from './day-bars.tsx';
import { IncidentStory } from './incident-story.tsx';
import { StateMark } from './state-mark.tsx';

const lookEveryMs = 30_000;

export function useStatusReport() {
  const client = useClient();
  const queries = useQueryClient();
  return useQuery({
    queryKey: queryKeys.status,
    queryFn: async () => {
      const known = queries.getQueryData<StatusReport>(queryKeys.status);
      if (known !== undefined) {
        const today = await client.call('GET /console/status', { query: { days: 'today' } });
        const whole = withEarlierDays(today, known);
        if (whole !== undefined) return whole;
      }
      return await client.call('GET /console/status', { query: {} });
    },
    refetchInterval: lookEveryMs,
  });
}

/** Ninety days of forty models are many, and only the last one changes. Undefined when another day has begun. */
function withEarlierDays(report: StatusReport, known: StatusReport): StatusReport | undefined {
  const earlier = new Map(known.models.map(({ id, days }) => [id, days]));
  const models = report.models.map((model) => {
    const days = earlier.get(model.id) ?? [];
    const isSameDay = days.at(-1)?.day === model.days[0]?.day;
    return isSameDay ? { ...model, days: [...days.slice(0, -1), ...model.days] } : undefined;
  });
  return models.every((model) => model !== undefined) ? { ...report, models } : undefined;
}

export function StatusContent({ report }: { readonly report: StatusReport }) {
  const words = useStatusWords();
  const open = report.incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const over = report.incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  // What does not work is what people come for; the rest stays in its order.
  const models = report.models.toSorted((left, right) => urgency[right.state] - urgency[left.state]);
  return (
    <>
      <p
        className={`mb-8 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl px-4 py-3.5 ${washes[report.state]}`}
      >
        <StateMark state={report.state} />
        <span className="text-lg font-[600]">{words.overall[report.state]}</span>
        <span className="ms-auto text-[0.9375rem] text-ink-soft">
          {words.asOf} <Moment at={report.at} />
        </span>
      </p>
      {open.length > 0 && (
        <Section title={words.open}>
          {open.map((incident) => (
            <IncidentStory key={incident.id} incident={incident} />
          ))}
        </Section>
      )}
      <Section title={words.models}>
        <p
          dir="ltr"
          aria-hidden="true"
          className="-mt-3 ms-auto me-[5.25rem] mb-1 flex w-72 justify-between text-[0.8125rem] text-ink-faint max-sm:hidden rtl:ms-[5.25rem] rtl:me-auto"
        >
          <span>{words.daysAgo}</span>
          <span>{words.today}</span>
        </p>
        <ul>
          {models.map((model) => (
            <ModelLine key={model.id} model={model} />
          ))}
        </ul>
      </Section>
      {(over.length > 0 || open.length === 0) && (
        <Section title={words.incidents}>
          {report.incidents.length === 0 && <p className="text-ink-soft">{words.noIncidents}</p>}
          {over.map((incident) => (
            <IncidentStory key={incident.id} incident={incident} />
          ))}
        </Section>
      )}
      <p className="mt-6 text-[0.9375rem] text-ink-soft">
        {words.forPrograms}{' '}
        <a href="/status.json" className="text-accent-strong underline">
          <bdi dir="ltr">/status.json</bdi>
        </a>
      </p>
    </>
  );
}

/** One line for each model; what a day was like is for those who open it. */
function ModelLine({ model }: { readonly model: ModelStatus }) {
  const words = useStatusWords();
  const tag = useLanguageTag();
  const [isOpen, setIsOpen] = useState(false);
  const { id, state, up, days, firstTokenMs } = model;
  const isTroubled = state === 'outage' || state === 'degraded';
  return (
    <li className="border-t border-hairline first:border-0">
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="-mx-2 grid cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-lg px-2 py-2 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_18rem_4.25rem]">
          <h3 className="flex min-w-0 items-center gap-2.5">
            <StateMark state={state} />
            <span className="min-w-0 font-[550] wrap-anywhere">{id}</span>
            <span className={isTroubled ? `text-sm ${tones[state]}` : 'sr-only'}>{words.states[state]}</span>
          </h3>
          <DayLine days={days} className="max-sm:col-span-2 max-sm:row-start-2" />
          <span className="text-end text-sm text-ink-soft tabular-nums">
            {up === null ? '–' : shareInWords(up, tag, 2)}
          </span>
        </summary>
        {isOpen && (
          <div className="pt-1 pb-4">
            <DayBars model={model} />
            <p className="mt-1.5 text-[0.9375rem] text-ink-soft tabular-nums">
              {up === null
                ? words.noUptime
                : words.uptime(shareInWords(up, tag, 2), days.filter((day) => day.up !== null).length)}
              {firstTokenMs !== null && `, ${words.firstToken(durationInWords(firstTokenMs, tag))}`}
            </p>
          </div>
        )}
      </details>
    </li>
  );
}

const tones = { degraded: 'text-wait', outage: 'text-danger' } as const;

const urgency: Readonly<Record<ServiceState, number>> = {
  outage: 3,
  degraded: 2,
  unknown: 1,
  operational: 0,
};

const washes: Readonly<Record<ServiceState, string>> = {
  operational: 'bg-good-wash',
  degraded: 'bg-wait-wash',
  outage: 'bg-danger-wash',
  unknown: 'bg-sunken',
};
