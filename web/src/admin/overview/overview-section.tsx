import { useQuery } from '@tanstack/react-query';
import type { Overview } from '#contract/operations';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Failure } from '../../design/failure.tsx';
import { Section } from '../../design/section.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { useOverviewWords } from '../../language/overview-words.ts';
import { EngineOverviewTable } from './engine-overview.tsx';
import { HistoryCharts } from './history-charts.tsx';
import { MachineSection } from './machine-section.tsx';
import { SlowestRequests } from './slowest-requests.tsx';

const lookEveryMs = 3000;

/** How the service is doing, drawn anew every few seconds. */
export function OverviewSection() {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.overview,
    queryFn: () => client.call('GET /console/administration/overview', {}),
    refetchInterval: lookEveryMs,
  });
  if (data === undefined)
    return error === null ? null : <Failure failure={error} retry={() => void refetch()} />;
  return (
    <>
      <Obstacles obstacles={data.obstacles} />
      <Glance overview={data} />
      <EngineOverviewTable engines={data.engines} />
      <Line line={data.line} />
      <HistoryCharts />
      <SlowestRequests requests={data.slowest} />
      <MachineSection overview={data} />
    </>
  );
}

function Obstacles({ obstacles }: Pick<Overview, 'obstacles'>) {
  const words = useOverviewWords();
  if (obstacles.length === 0) return null;
  return (
    <div role="alert" className="mb-6 rounded-lg bg-danger-wash px-4 py-3 text-danger">
      <p className="font-[600]">{words.obstacles}</p>
      <ul>
        {obstacles.map((obstacle) => (
          <li key={obstacle}>{obstacle}</li>
        ))}
      </ul>
    </div>
  );
}

function Glance({ overview }: { readonly overview: Overview }) {
  const words = useOverviewWords();
  const tag = useLanguageTag();
  const { line, engines } = overview;
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  const sum = (of: 'outputTokensPerSecond' | 'failures') =>
    engines.reduce((total, engine) => total + engine[of], 0);
  const failures = sum('failures');
  return (
    <dl className="mb-8 grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-hairline bg-hairline lg:grid-cols-4">
      <Figure name={words.running} hint={words.runningHint} value={numbers.format(line.running)} />
      <Figure
        name={words.waiting}
        hint={words.waitingHint}
        value={numbers.format(line.waiting)}
        tone={line.waiting > 0 ? 'text-wait' : ''}
      />
      <Figure
        name={words.throughput}
        hint={words.throughputHint}
        value={numbers.format(sum('outputTokensPerSecond'))}
      />
      <Figure
        name={words.failures}
        hint={words.failuresHint}
        value={numbers.format(failures)}
        tone={failures > 0 ? 'text-danger' : ''}
      />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly tone?: string;
}

function Figure({ name, hint, value, tone = '' }: FigureProps) {
  return (
    <div className="flex flex-col bg-paper px-4 py-3">
      <dt className="text-[0.9375rem] text-ink-soft">{name}</dt>
      <dd className={`text-2xl font-[600] tabular-nums ${tone}`}>{value}</dd>
      <dd className="text-[0.8125rem] text-ink-faint">{hint}</dd>
    </div>
  );
}

function Line({ line }: Pick<Overview, 'line'>) {
  const words = useOverviewWords();
  const most = Math.max(1, ...line.projects.map(({ waiting }) => waiting));
  return (
    <Section title={words.line} lead={words.lineLead}>
      {line.projects.length === 0 ? (
        <p className="text-ink-soft">{words.nobodyWaits}</p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {line.projects.map(({ id, name, waiting }) => (
            <li key={id}>
              <p className="flex items-baseline justify-between gap-4 text-[0.9375rem]">
                <span className="min-w-0 break-words">{name}</span>
                <span className="shrink-0 text-ink-soft tabular-nums">{words.waitingCount(waiting)}</span>
              </p>
              <svg viewBox="0 0 100 1" preserveAspectRatio="none" className="h-1.5 w-full" aria-hidden="true">
                <rect width={100} height={1} className="fill-sunken" />
                <rect width={(waiting / most) * 100} height={1} className="fill-wait" />
              </svg>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
