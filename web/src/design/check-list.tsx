import { useState } from 'react';
import { CheckField } from './field.tsx';
import { FindField } from './find-field.tsx';
import { isFound } from './is-found.ts';

interface CheckListProps {
  readonly legend: string;
  readonly hint?: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
}

/** More than these are looked for rather than looked through. */
const manyChoices = 12;

/** Any number of things to tick, in columns. Many stay in a plate of their own, and what is ticked stands first. */
export function CheckList({ legend, hint, choices, chosen, choose }: CheckListProps) {
  const [searched, setSearched] = useState('');
  // Only once, as the list opens: what is ticked later stays where it is.
  const [first] = useState(() => new Set(chosen));
  const areMany = choices.length > manyChoices;
  const shown = choices
    .filter(({ label }) => isFound(searched, [label]))
    .toSorted((left, right) => Number(first.has(right.value)) - Number(first.has(left.value)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[0.9375rem] font-[550]">{legend}</legend>
      <div className={areMany ? 'overflow-hidden rounded-lg border border-edge' : undefined}>
        {areMany && (
          <FindField
            what={legend}
            className="w-full border-b border-hairline bg-raised px-3 py-1.5 text-[0.9375rem] outline-none"
            value={searched}
            change={setSearched}
          />
        )}
        <div
          className={`grid gap-x-6 gap-y-1.5 sm:grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] ${areMany ? 'max-h-52 overflow-y-auto px-3 py-2.5' : ''}`}
        >
          {shown.map(({ value, label }) => (
            <CheckField
              key={value}
              label={label}
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                choose(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
              }
            />
          ))}
        </div>
      </div>
      {hint !== undefined && <p className="mt-1.5 text-sm text-ink-soft">{hint}</p>}
    </fieldset>
  );
}
