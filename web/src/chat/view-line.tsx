import type { Message } from '#contract/messages';
import { useWords } from '../language/language.tsx';

/** Where the model's view of the conversation began, as far as its last answer tells; 0 when it saw everything. */
export function viewBeginsAt(path: readonly Message[]): number {
  const beginsAt = path.findLast(({ context }) => context !== null)?.context?.beginsAt;
  return beginsAt == null
    ? 0
    : Math.max(
        0,
        path.findIndex(({ id }) => id === beginsAt),
      );
}

/** Above the first message that the model still sees. */
export function ViewLine() {
  const words = useWords();
  return (
    <p role="note" className="flex items-center gap-3 pt-8 text-sm text-wait">
      <span aria-hidden="true" className="h-px flex-1 bg-hairline" />
      {words.documents.context.viewBegins}
      <span aria-hidden="true" className="h-px flex-1 bg-hairline" />
    </p>
  );
}
