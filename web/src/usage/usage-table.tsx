import type { ReactNode } from 'react';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { tokensOf } from './usage-totals.ts';

interface Amounts {
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export type UsageColumn<Figures> = readonly [string, (figures: Figures) => number];

export interface UsageTableRow<Figures> {
  readonly key: string;
  readonly name: ReactNode;
  readonly figures: Figures;
  /** Many small ones together. */
  readonly isQuiet?: boolean;
}

interface UsageTableProps<Figures> {
  /** What the rows are. */
  readonly of: string;
  readonly columns: readonly UsageColumn<Figures>[];
  readonly rows: readonly UsageTableRow<Figures>[];
  /** The name of the last row, which adds up all others. */
  readonly sum?: string;
}

/** The figures behind the bars. */
export function UsageTable<Figures>({ of, columns, rows, sum }: UsageTableProps<Figures>) {
  const words = usePagesWords();
  const numbers = new Intl.NumberFormat(useLanguageTag());
  return (
    <div className="mt-8 overflow-x-auto" tabIndex={0} role="region" aria-label={words.usage.table}>
      <table className="table-plain">
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {columns.map(([name]) => (
              <th key={name} scope="col" className="text-end!">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, figures, isQuiet = false }) => (
            <tr key={key}>
              <th
                scope="row"
                className={`min-w-40 py-2! text-[0.9375rem]! whitespace-normal! ${isQuiet ? 'font-normal! text-ink-soft!' : 'text-ink!'}`}
              >
                {name}
              </th>
              {columns.map(([column, read]) => (
                <td key={column} className={`text-end ${isQuiet ? 'text-ink-soft' : ''}`}>
                  {numbers.format(read(figures))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {sum !== undefined && rows.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row" className="border-0! py-2! text-[0.9375rem]! font-[650]! text-ink!">
                {sum}
              </th>
              {columns.map(([column, read]) => (
                <td key={column} className="border-0! text-end font-[650]">
                  {numbers.format(rows.reduce((total, { figures }) => total + read(figures), 0))}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** What everybody is shown of what was used. */
export function useUsageColumns(): Readonly<
  Record<'requests' | 'input' | 'cached' | 'output' | 'total', UsageColumn<Amounts>>
> {
  const { usage } = usePagesWords();
  return {
    requests: [usage.requests, ({ requests }) => requests],
    input: [usage.input, ({ inputTokens }) => inputTokens],
    cached: [usage.cached, ({ cachedTokens }) => cachedTokens],
    output: [usage.output, ({ outputTokens }) => outputTokens],
    total: [usage.total, tokensOf],
  };
}
