import type { Message } from '#contract/messages';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';
import { NamedValues } from './named-values.tsx';

/** What a person gave back for a tool call. */
export function ToolResult({ message }: { readonly message: Message }) {
  const words = useWords();
  return (
    <article
      aria-label={words.answer.toolResult}
      className="mt-2 overflow-hidden rounded-lg border border-hairline"
    >
      <p className="flex items-center gap-2 bg-sunken px-3.5 py-2 text-[0.9375rem] text-ink-soft">
        <Icon name="arrowDown" size={16} />
        {words.answer.toolResult}
      </p>
      <NamedValues text={message.content} isGrowing={false} />
    </article>
  );
}
