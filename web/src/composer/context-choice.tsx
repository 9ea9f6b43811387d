import { useState } from 'react';
import type { WhenFull } from '#contract/summaries';
import type { Conversation } from '../chat/conversation.ts';
import { useWhenFull } from '../chat/use-when-full.ts';
import { Button } from '../design/button.tsx';
import { CheckField } from '../design/field.tsx';
import { useContextWords } from '../language/context-words.ts';
import { usePreferences } from '../settings/use-preferences.ts';

/** Asked once, when a conversation gets too long: until then its oldest messages are left out, and nothing is lost. */
export function ContextChoice({ conversation }: { readonly conversation: Conversation }) {
  const words = useContextWords();
  const { whenFull, choose } = useWhenFull(conversation);
  const { change } = usePreferences();
  const [isForAll, setIsForAll] = useState(false);
  if (whenFull !== 'ask') return null;
  const decide = (wish: WhenFull) => {
    choose(wish);
    if (isForAll) void change({ whenFull: wish });
  };
  return (
    <section
      aria-label={words.choice.title}
      className="mb-2 rounded-xl border border-hairline bg-wait-wash px-4 py-3 text-[0.9375rem]"
    >
      <p className="font-[600]">{words.choice.title}</p>
      <p className="mt-0.5 text-ink-soft">{words.choice.explained}</p>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" size="small" onClick={() => decide('summarise')}>
            {words.choice.summarise}
          </Button>
          <Button size="small" onClick={() => decide('leaveOut')}>
            {words.choice.leaveOut}
          </Button>
        </div>
        <CheckField
          label={words.choice.always}
          checked={isForAll}
          onChange={(event) => setIsForAll(event.target.checked)}
        />
      </div>
    </section>
  );
}
