import type { ToolCall } from '../../../src/console/contract/messages.ts';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';

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
          <Arguments text={call.argumentsText} isGrowing={isGrowing} />
        </li>
      ))}
    </ul>
  );
}

function Arguments({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  const values = isGrowing ? undefined : readArguments(text);
  if (values === undefined) {
    return (
      <pre className="overflow-x-auto px-3.5 py-2.5 font-mono text-[0.84375rem] whitespace-pre-wrap">
        {text}
      </pre>
    );
  }
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 px-3.5 py-2.5 text-[0.9375rem]">
      {Object.entries(values).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-mono text-[0.84375rem] leading-6 break-words whitespace-pre-wrap">
            {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Undefined when the model wrote something else than an object; then the text is shown as it is. */
function readArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
