import { Keys } from '../design/keys.tsx';
import { usePresetsWords } from '../language/presets-words.ts';
import type { Blanks } from './use-blanks.ts';

/** Under the words of a preset while blanks remain: a touch keyboard has no Tab. */
export function NextBlank({ blanks }: { readonly blanks: Blanks }) {
  const words = usePresetsWords();
  if (blanks.remaining === 0) return null;
  return (
    <div className="px-3 pb-1.5">
      <button
        type="button"
        className="flex max-w-full items-center gap-2 rounded-full bg-accent-wash px-3 py-1 text-[0.875rem] text-accent-strong transition-colors duration-150 hover:bg-pressed pointer-coarse:min-h-10"
        // The caret, and the keyboard of a phone, stay.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => blanks.step()}
      >
        {words.nextBlank(blanks.remaining)}
        <span aria-hidden="true" className="pointer-coarse:hidden">
          <Keys combination="Tab" />
        </span>
      </button>
    </div>
  );
}
