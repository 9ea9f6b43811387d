import type { EngineOverview } from '#contract/operations';
import { HealthDot } from '../../chat/health-dot.tsx';
import { shareInWords } from '../../design/amounts.ts';
import { Meter } from '../../design/meter.tsx';
import { Moment } from '../../design/moment.tsx';
import { NamesInShort } from '../../design/names-in-short.tsx';
import { Section } from '../../design/section.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useOverviewWords } from '../../language/overview-words.ts';
import { HealthNote } from '../health-note.tsx';
import { troubledFirst } from '../troubled-first.ts';

/** Each engine in one line: what it does now, and how well. */
export function EngineOverviewTable({ engines }: { readonly engines: readonly EngineOverview[] }) {
  const words = useOverviewWords();
  const { models } = usePagesWords();
  const tag = useLanguageTag();
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  return (
    <Section title={words.engines} lead={words.enginesLead}>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={words.engines}>
        <table className="table-plain table-stacked">
          <thead>
            <tr>
              <th scope="col">{words.engine}</th>
              <th scope="col">{words.state}</th>
              <th scope="col">{words.inFlight}</th>
              <th scope="col">{words.waiting}</th>
              <th scope="col">{words.tokensPerSecond}</th>
              <th scope="col" title={words.cacheUseHint}>
                {words.cacheUse}
              </th>
              <th scope="col" title={words.cachedHint}>
                {words.cached}
              </th>
              <th scope="col">{words.failed}</th>
              <th scope="col">{words.lastAnswer}</th>
            </tr>
          </thead>
          <tbody>
            {troubledFirst(engines).map((engine) => (
              <tr key={engine.name}>
                <td className="min-w-40">
                  <span className="font-[550]">{engine.name}</span>
                  <span className="block text-sm text-ink-soft">
                    <NamesInShort names={engine.models} />
                  </span>
                </td>
                <td className="min-w-28">
                  <span className="flex items-center gap-2 whitespace-nowrap">
                    <HealthDot health={engine.health} />
                    {models.health[engine.health]}
                  </span>
                  {engine.healthNote !== '' && (
                    <span className="block max-w-56 text-sm break-words text-ink-soft">
                      <HealthNote note={engine.healthNote} />
                    </span>
                  )}
                </td>
                <td data-label={words.inFlight} className={`whitespace-nowrap ${beside}`}>
                  {words.ofPlaces(engine.inFlight, engine.maxConcurrent)}
                </td>
                <td
                  data-label={words.waiting}
                  className={`${beside} ${engine.waiting > 0 ? 'text-wait' : ''}`}
                >
                  {engine.waiting}
                </td>
                <td data-label={words.tokensPerSecond} className={beside}>
                  {numbers.format(engine.outputTokensPerSecond)}
                </td>
                <td className="max-sm:hidden">
                  <CacheUse part={engine.cacheUse} name={words.cacheUseOf(engine.name)} />
                </td>
                <td className="max-sm:hidden">
                  {engine.cachedPart === null ? '–' : shareInWords(engine.cachedPart, tag)}
                </td>
                <td
                  data-label={words.failed}
                  className={`whitespace-nowrap ${beside} ${engine.failures > 0 ? 'text-danger' : ''}`}
                >
                  {words.ofRequests(engine.failures, engine.requests)}
                </td>
                <td className="whitespace-nowrap max-sm:hidden">
                  <Moment at={engine.lastGenerationAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** On a phone the figures of an engine stand in one line. */
const beside = 'max-sm:inline-block max-sm:text-sm';

/** How full the memory of an engine is; when it is all taken, requests wait inside it. */
function CacheUse({ part, name }: { readonly part: number | null; readonly name: string }) {
  const tag = useLanguageTag();
  if (part === null) return '–';
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <span className="w-8">
        <Meter used={part} amount={1} label={name} />
      </span>
      {shareInWords(part, tag)}
    </span>
  );
}
