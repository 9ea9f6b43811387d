import type { Message } from '../../../src/console/contract/messages.ts';
import { useWords } from '../language/language.tsx';

/** What a person gave back for a tool call. */
export function ToolResult({ message }: { readonly message: Message }) {
  const words = useWords();
  return (
    <article aria-label={words.answer.toolResult} className="mt-2 rounded-lg border border-hairline">
      <p className="px-3.5 pt-2 text-[0.9375rem] text-ink-soft">{words.answer.toolResult}</p>
      <pre className="overflow-x-auto px-3.5 pt-1 pb-2.5 font-mono text-[0.84375rem] whitespace-pre-wrap">
        {message.content}
      </pre>
    </article>
  );
}
