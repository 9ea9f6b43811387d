import { Link, useLocation } from 'wouter';
import type { ChatSummary } from '#contract/chats';
import { useSidebar } from '../app/sidebar-state.tsx';
import { ChatMenu } from '../chat/chat-menu.tsx';
import { useIsAnswering } from '../chat/live-answers-context.tsx';
import { classes } from '../design/classes.ts';
import { useWords } from '../language/language.tsx';
import { draggedChat } from './use-dragged-chat.ts';

interface ChatRowProps {
  readonly chat: ChatSummary;
  readonly isInFolder: boolean;
}

export function ChatRow({ chat, isInFolder }: ChatRowProps) {
  const words = useWords();
  const sidebar = useSidebar();
  const [location] = useLocation();
  const isCurrent = location === `/chat/${chat.id}`;
  const isAnswering = useIsAnswering(chat.id);
  return (
    <div className="group/row relative">
      <Link
        href={`/chat/${chat.id}`}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => sidebar.isDrawer && sidebar.hide()}
        onDragStart={(event) => event.dataTransfer.setData(draggedChat, chat.id)}
        className={classes(
          'flex h-9 items-center gap-2 rounded-lg pe-2.5 text-[0.9375rem] transition-colors duration-150 group-focus-within/row:pe-9 group-hover/row:bg-pressed group-hover/row:pe-9 pointer-coarse:pe-9',
          isInFolder ? 'ps-8' : 'ps-2.5',
          isCurrent && 'bg-pressed font-[550]',
        )}
      >
        {isAnswering && (
          <span
            className="breathing size-1.5 shrink-0 rounded-full bg-accent"
            role="img"
            aria-label={words.sidebar.answering}
          />
        )}
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {chat.title}
        </span>
      </Link>
      <ChatMenu
        chat={chat}
        className="absolute! end-1 top-1 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}
