import { keyNames } from '../app/shortcuts.ts';

/** A shortcut as people read it: one small plate per key. */
export function Keys({ combination }: { readonly combination: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keyNames(combination).map((name) => (
        <kbd
          key={name}
          className="inline-flex min-w-5 items-center justify-center rounded border border-hairline bg-sunken px-1 font-sans text-xs leading-4.5 text-ink-soft"
        >
          {name}
        </kbd>
      ))}
    </span>
  );
}
