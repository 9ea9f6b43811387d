import type { Message } from '#contract/messages';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../language/language.tsx';
import type { Conversation } from './conversation.ts';
import { branchesAt } from './message-tree.ts';

interface BranchArrowsProps {
  readonly message: Message;
  readonly conversation: Conversation;
}

/** `‹ 2/3 ›` where a message has siblings; nothing where it has none. */
export function BranchArrows({ message, conversation }: BranchArrowsProps) {
  const words = useWords();
  const { position, count, previousId, nextId } = branchesAt(conversation.tree, message);
  if (count < 2) return null;
  const arrow = (targetId: string | undefined, icon: 'chevronLeft' | 'chevronRight', label: string) => (
    <IconButton
      icon={icon}
      size="small"
      label={label}
      disabled={targetId === undefined}
      onClick={() => targetId !== undefined && conversation.showBranch(targetId)}
    />
  );
  return (
    <span className="flex items-center text-sm text-ink-soft tabular-nums">
      {arrow(previousId, 'chevronLeft', words.chat.previousVersion)}
      <span aria-label={words.chat.version(position, count)}>{`${position}/${count}`}</span>
      {arrow(nextId, 'chevronRight', words.chat.nextVersion)}
    </span>
  );
}
