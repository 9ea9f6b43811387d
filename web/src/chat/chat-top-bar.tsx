import { lazy, useState } from 'react';
import { useLocation } from 'wouter';
import type { Model } from '#contract/models';
import { useSidebar } from '../app/sidebar-state.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { OnceOpened } from '../design/once-opened.tsx';
import { shortcuts } from '../app/shortcuts.ts';
import { useWords } from '../language/language.tsx';
import { NotifyButton } from '../notify/notify-button.tsx';
import { ChatMenu } from './chat-menu.tsx';
import type { Conversation } from './conversation.ts';
import { ModelPicker } from './model-picker.tsx';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

interface ChatTopBarProps {
  readonly conversation: Conversation;
  readonly models: readonly Model[];
  readonly model: Model | undefined;
  /** False for a chat that could not be shown: then there is nothing to share or rename. */
  readonly isThere: boolean;
}

export function ChatTopBar({ conversation, models, model, isThere }: ChatTopBarProps) {
  const words = useWords();
  const [, goTo] = useLocation();
  const sidebar = useSidebar();
  const [isSharing, setIsSharing] = useState(false);
  const { kind, chatId } = conversation;
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 px-3">
      {!sidebar.isShown && (
        <IconButton
          icon="panel"
          label={words.sidebar.show}
          shortcut={shortcuts.toggleSidebar}
          onClick={sidebar.toggle}
        />
      )}
      {!sidebar.isShown && (
        <IconButton
          icon="pencil"
          label={words.chat.newChat}
          shortcut={shortcuts.newChat}
          onClick={() => goTo('/')}
        />
      )}
      <ModelPicker
        models={models}
        chosen={model}
        chosenId={conversation.settings.model}
        choose={(id) => conversation.changeSettings({ model: id })}
      />
      <div className="ms-auto flex items-center gap-1">
        {kind === 'temporary' && (
          <span className="rounded-full border border-dashed border-edge px-2.5 py-0.5 text-sm whitespace-nowrap text-ink-soft max-sm:hidden">
            {words.chat.notStored}
          </span>
        )}
        {kind === 'new' && models.length > 1 && (
          <IconButton icon="columns" label={words.chat.compare} onClick={() => goTo('/compare')} />
        )}
        {kind !== 'stored' && (
          <IconButton
            icon="veil"
            label={kind === 'temporary' ? words.chat.leaveTemporary : words.chat.beginTemporary}
            aria-pressed={kind === 'temporary'}
            onClick={() => goTo(kind === 'temporary' ? '/' : '/temporary')}
          />
        )}
        {kind === 'stored' && chatId !== null && isThere && (
          <>
            <NotifyButton chatId={chatId} />
            <IconButton icon="share" label={words.chat.share} onClick={() => setIsSharing(true)} />
            <ChatMenu chat={{ ...conversation, id: chatId }} />
            <OnceOpened isOpen={isSharing}>
              <ShareDialog
                chatId={chatId}
                leafId={conversation.path.at(-1)?.id}
                isOpen={isSharing}
                close={() => setIsSharing(false)}
              />
            </OnceOpened>
          </>
        )}
      </div>
    </header>
  );
}
