import type { Model } from '#contract/models';
import { useSession } from '../app/session.tsx';
import { Icon } from '../design/icon.tsx';
import { Mark } from '../design/mark.tsx';
import { useWords } from '../language/language.tsx';
import type { Conversation } from './conversation.ts';

interface EmptyChatProps {
  readonly conversation: Conversation;
  readonly model: Model | undefined;
  readonly choose: (prompt: string) => void;
}

/** The first page teaches: four things that this model does well. */
export function EmptyChat({ conversation, model, choose }: EmptyChatProps) {
  const words = useWords();
  const { person } = useSession();
  const isTemporary = conversation.kind === 'temporary';
  const ownQuestions = model?.suggestions.map((prompt) => ({ title: undefined, prompt })) ?? [];
  const suggestions = ownQuestions.length > 0 ? ownQuestions : words.chat.suggestions;
  return (
    <div className="flex flex-1 flex-col items-center overflow-y-auto px-5 pb-6 sm:pb-2">
      {/* By its margins: what does not fit stays within reach. */}
      <div className="mt-auto w-full max-w-2xl sm:mb-auto">
        <div className="mb-6 flex items-center gap-3.5">
          {isTemporary ? <Icon name="veil" size={30} /> : <Mark size={34} />}
          <p className="text-2xl font-semibold tracking-[-0.01em]">
            {isTemporary
              ? words.chat.temporaryTitle
              : words.chat.greeting(person.name.split(' ')[0] ?? person.name)}
          </p>
        </div>
        {isTemporary && <p className="mb-6 max-w-prose text-ink-soft">{words.chat.temporaryExplained}</p>}
        <ul className="grid gap-px overflow-hidden rounded-xl border border-hairline bg-hairline sm:grid-cols-2">
          {suggestions.map(({ title, prompt }) => (
            <li key={prompt} className="bg-paper">
              <button
                type="button"
                className="h-full w-full px-4 py-3.5 text-start transition-colors duration-150 hover:bg-raised focus-visible:-outline-offset-2"
                onClick={() => choose(prompt)}
              >
                {title !== undefined && <span className="block font-[550]">{title}</span>}
                <span
                  dir="auto"
                  className={title === undefined ? 'block' : 'block text-[0.9375rem] text-ink-soft'}
                >
                  {prompt}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {model !== undefined && (
          <p dir="auto" className="text-match mt-5 text-sm text-ink-faint">
            {model.description}
          </p>
        )}
      </div>
    </div>
  );
}
