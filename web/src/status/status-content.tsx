import { useQuery } from '@tanstack/react-query';
import type { ModelStatus, ServiceState, StatusReport } from '#contract/status';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { durationInWords, shareInWords } from '../design/amounts.ts';
import { Moment } from '../design/moment.tsx';
import { Section } from '../design/section.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { useStatusWords } from '../language/status-words.ts';
import { DayBars } from './day-bars.tsx';
import { IncidentStory } from './incident-story.tsx';
import { StateMark } from './state-mark.tsx';

const lookEveryMs = 30_000;

export function useStatusReport() {
  const client = useClient();
  return useQuery({
    queryKey: queryKeys.status,
    queryFn: () => client.call('GET /console/status', {}),
    refetchInterval: lookEveryMs,
  });
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
      <p className="text-[0.9375rem] text-ink-soft">
        {words.forPrograms}{' '}
        <a href="/status.json" className="text-accent-strong underline">
          <bdi dir="ltr">/status.json</bdi>
        </a>
      </p>
    </>
  );
}

function ModelLine({ model }: { readonly model: ModelStatus }) {
  const words = useStatusWords();
  const tag = useLanguageTag();
  return (
    <li className="border-t border-hairline py-5 first:border-0 first:pt-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="min-w-0 font-[600] break-words">{model.id}</h3>
        <p className="flex items-center gap-2 text-[0.9375rem]">
          <StateMark state={model.state} />
          {words.states[model.state]}
        </p>
      </div>
      <DayBars model={model} />
      <p className="mt-1.5 text-[0.9375rem] text-ink-soft tabular-nums">
        {model.up === null ? words.noUptime : words.uptime(shareInWords(model.up, tag, 2))}
        {model.firstTokenMs !== null && `, ${words.firstToken(durationInWords(model.firstTokenMs, tag))}`}
      </p>
    </li>
  );
}

const urgency: Readonly<Record<ServiceState, number>> = {
  outage: 3,
  degraded: 2,
  unknown: 1,
  operational: 0,
};

const washes: Readonly<Record<ServiceState, string>> = {
  operational: 'bg-accent-wash',
  degraded: 'bg-wait-wash',
  outage: 'bg-danger-wash',
  unknown: 'bg-sunken',
};
