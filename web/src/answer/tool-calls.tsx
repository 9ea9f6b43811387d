import type { ToolCall } from '#contract/messages';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';
import { NamedValues } from './named-values.tsx';

interface ToolCallsProps {
  readonly calls: readonly ToolCall[];
  readonly isGrowing: boolean;
}

/** Each call as a small form: the function's name, its arguments by name. */
export function ToolCalls({ calls, isGrowing }: ToolCallsProps) {
  const words = useWords();
  return (
    <ul className="mt-3 flex flex-col gap-2" aria-label={words.answer.toolCalls}>
      {calls.map((call, index) => (
        <li key={index} className="overflow-hidden rounded-lg border border-hairline">
          <p className="flex items-center gap-2 bg-sunken px-3.5 py-2 text-[0.9375rem] text-ink-soft">
            <Icon name="tool" size={16} />
            {words.answer.wantsToCall}
            <code className="font-mono text-[0.875rem] text-ink">{call.name}</code>
          </p>
          <NamedValues text={call.argumentsText} isGrowing={isGrowing} />
        </li>
      ))}
    </ul>
  );
}
