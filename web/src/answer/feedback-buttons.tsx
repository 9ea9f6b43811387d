import { Popover } from '@base-ui/react/popover';
import type { Feedback } from '#contract/feedback';
import { feedbackWords } from '#contract/feedback-words';
import type { Message } from '#contract/messages';
import type { WorkingWithAnswers } from '../chat/conversation.ts';
import { classes } from '../design/classes.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useWorkingWords } from '../language/working-words.ts';

interface FeedbackButtonsProps {
  readonly message: Message;
  readonly judge: WorkingWithAnswers['judge'];
}

/** A thumb, and one word that says why if somebody likes. Operators see how many, never whose. */
export function FeedbackButtons({ message, judge }: FeedbackButtonsProps) {
  return (
    <>
      <Thumb verdict="good" message={message} judge={judge} />
      <Thumb verdict="bad" message={message} judge={judge} />
    </>
  );
}

function Thumb({ message, judge, verdict }: FeedbackButtonsProps & Pick<Feedback, 'verdict'>) {
  const words = useWorkingWords().feedback;
  const isSaid = message.feedback?.verdict === verdict;
  const said = isSaid ? message.feedback.word : null;
  const say = (word: Feedback['word']) => judge(message, { verdict, word } as Feedback);
  return (
    <Popover.Root onOpenChange={(isOpen) => isOpen && !isSaid && say(null)}>
      <Popover.Trigger
        render={
          <IconButton
            icon={verdict === 'good' ? 'thumbUp' : 'thumbDown'}
            size="small"
            label={words[verdict]}
            aria-pressed={isSaid}
          />
        }
      />
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={6} className="z-40">
          <Popover.Popup className="floating max-w-72 px-4 py-3 text-[0.9375rem]" aria-label={words.why}>
            <p className="text-ink-soft">{words.why}</p>
            <div className="mt-2 flex flex-wrap gap-1.5">
              {feedbackWords[verdict].map((word) => (
                <button
                  key={word}
                  type="button"
                  aria-pressed={said === word}
                  className={classes(
                    'rounded-full border px-2.5 py-0.5 text-sm transition-colors duration-150',
                    said === word
                      ? 'border-accent bg-accent-wash text-accent'
                      : 'border-edge text-ink hover:bg-sunken',
                  )}
                  onClick={() => say(said === word ? null : word)}
                >
                  {words.words[word]}
                </button>
              ))}
            </div>
            <Popover.Close
              className="mt-3 text-sm text-ink-soft underline underline-offset-2 hover:text-ink"
              onClick={() => judge(message, null)}
            >
              {words.takeBack}
            </Popover.Close>
            <p className="mt-2 text-[0.8125rem] text-ink-faint">{words.whoSees}</p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
