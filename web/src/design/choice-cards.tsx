import { useId } from 'react';

interface ChoiceCardsProps<Value extends string> {
  readonly name: string;
  readonly chosen: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly choose: (value: Value) => void;
}

/** A few choices side by side: radio buttons dressed as plates. */
export function ChoiceCards<Value extends string>({
  name,
  chosen,
  choices,
  choose,
}: ChoiceCardsProps<Value>) {
  const group = useId();
  return (
    <div
      role="radiogroup"
      aria-label={name}
      className="inline-flex overflow-hidden rounded-lg border border-edge"
    >
      {choices.map(({ value, label }) => (
        <label
          key={value}
          className="flex min-h-9 items-center border-e border-edge px-4 text-[0.9375rem] transition-colors duration-150 last:border-0 hover:bg-sunken has-checked:bg-accent-wash has-checked:font-[600] has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            className="sr-only"
            name={group}
            value={value}
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          {label}
        </label>
      ))}
    </div>
  );
}
