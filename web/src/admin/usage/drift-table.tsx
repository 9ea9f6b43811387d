import type { TokenComparison } from '#contract/operations';
import { useDriftWords } from '../../language/drift-words.ts';
import { useLanguageTag } from '../../language/language.tsx';

export interface DriftRow {
  readonly name: string;
  readonly note?: string | undefined;
  /** Left out where nothing could be compared. */
  readonly input?: TokenComparison;
  readonly output?: TokenComparison;
}

/** From here on a difference is more than answers that were being written. */
const notableDrift = 0.05;

/** Input and output, each as we and as the engine counted it. */
export function DriftTable({ of, rows }: { readonly of: string; readonly rows: readonly DriftRow[] }) {
  const words = useDriftWords();
  if (rows.length === 0) return <p className="text-ink-soft">{words.noHours}</p>;
  const kinds = [words.input, words.output];
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={words.title}>
      <table className="table-plain">
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {kinds.flatMap((kind) =>
              [words.ours, words.theirs, words.difference].map((side) => (
                <th key={`${kind} ${side}`} scope="col" className="text-end!">
                  {kind}, {side}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, note, input, output }) => (
            <tr key={name}>
              <th scope="row" className="py-2! text-[0.9375rem]! whitespace-nowrap text-ink!">
                {name}
                {note !== undefined && (
                  <span className="block text-sm font-normal text-ink-soft">{note}</span>
                )}
              </th>
              <Compared comparison={input} />
              <Compared comparison={output} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Compared({ comparison }: { readonly comparison: TokenComparison | undefined }) {
  const tag = useLanguageTag();
  const numbers = new Intl.NumberFormat(tag);
  const parts = new Intl.NumberFormat(tag, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  const { ours, theirs, drift = null } = comparison ?? {};
  const isNotable = drift !== null && Math.abs(drift) >= notableDrift;
  return (
    <>
      <td className="text-end tabular-nums">{ours === undefined ? '–' : numbers.format(ours)}</td>
      <td className="text-end tabular-nums">{theirs === undefined ? '–' : numbers.format(theirs)}</td>
      <td className={`text-end whitespace-nowrap tabular-nums ${isNotable ? 'font-[650]' : 'text-ink-soft'}`}>
        {drift === null ? '–' : parts.format(drift)}
      </td>
    </>
  );
}
