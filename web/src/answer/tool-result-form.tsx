import { useState } from 'react';
import type { ToolCall } from '#contract/messages';
import type { Conversation } from '../chat/conversation.ts';
import { Button } from '../design/button.tsx';
import { useWords } from '../language/language.tsx';

interface ToolResultFormProps {
  readonly calls: readonly ToolCall[];
  readonly conversation: Conversation;
}

/** The service never runs a function: whoever asked does, and hands the result back here. */
export function ToolResultForm({ calls, conversation }: ToolResultFormProps) {
  const words = useWords();
  const [results, setResults] = useState<readonly string[]>(() => calls.map(() => ''));
  return (
    <form
      className="mt-3 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void conversation.send(
          calls.map((call, index) => ({ role: 'tool', toolCallId: call.id, content: results[index] ?? '' })),
        );
      }}
    >
      {calls.map((call, index) => (
        <label key={call.id} className="flex flex-col gap-1 text-[0.9375rem]">
          <span className="text-ink-soft">{words.answer.resultOf(call.name)}</span>
          <textarea
            dir="auto"
            className="field font-mono text-[0.84375rem]"
            rows={2}
            value={results[index]}
            onChange={(event) => setResults(results.with(index, event.target.value))}
          />
        </label>
      ))}
      <Button
        type="submit"
        size="small"
        className="self-start"
        disabled={results.some((result) => result.trim() === '')}
      >
        {words.answer.giveResult}
      </Button>
    </form>
  );
}
