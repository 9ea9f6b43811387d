import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Failure } from '../design/failure.tsx';
import { useHandOver } from '../app/chat-at-hand.ts';
import { useSession } from '../app/session.tsx';
import { shortcuts, useShortcut } from '../app/shortcuts.ts';
import { usePageTitle } from '../app/use-page-title.ts';
import { queryKeys } from '../client/query-keys.ts';
import { Composer } from '../composer/composer.tsx';
import { draftName, moveDraft } from '../composer/drafts.ts';
import { useDraft } from '../composer/use-draft.ts';
import { moveQueue } from '../composer/waiting-questions.ts';
import { classes } from '../design/classes.ts';
import { DocumentPlaces, type DocumentPlace } from '../documents/document-places.tsx';
import { moveAttachments } from '../documents/use-attachments.ts';
import { useBlanks } from '../presets/use-blanks.ts';
import { modelsIn, useBeginning, useSpaceOf } from '../spaces/use-spaces.ts';
import { PreviewPlaces, type Preview } from '../previews/preview.ts';
import { copyText } from '../design/copy-text.ts';
import { useNotices } from '../app/notices.tsx';
import { useWords } from '../language/language.tsx';
import { Announcer } from './announcer.tsx';
import type { Beside } from './beside-panel.tsx';
import { ChatTopBar } from './chat-top-bar.tsx';
import type { Conversation } from './conversation.ts';
import { EmptyChat } from './empty-chat.tsx';
import { MessagesSkeleton } from './messages-skeleton.tsx';
import { useArchiveShortcut } from './use-archive-shortcut.ts';
import { useModels } from './use-models.ts';
import type { SearchHit } from './use-landing.ts';
import { useSearchHit } from './use-search-hit.ts';
import { useStoredConversation } from './use-stored-conversation.ts';
import { useTemporaryConversation } from './use-temporary-conversation.ts';

const loadMessageList = () => import('./message-list.tsx');
const MessageList = lazy(async () => ({ default: (await loadMessageList()).MessageList }));

const ArchivedLine = lazy(async () => ({
  default: (await import('../keeping/archived-line.tsx')).ArchivedLine,
}));
const SpaceLine = lazy(async () => ({ default: (await import('../spaces/space-line.tsx')).SpaceLine }));
const BesidePanel = lazy(async () => ({ default: (await import('./beside-panel.tsx')).BesidePanel }));

/** `/` and `/chat/:chatId`. One component for both, so that a new chat becomes a stored one without a flicker. */
export function ChatPage({ chatId }: { readonly chatId: string | null }) {
  const [, goTo] = useLocation();
  const queries = useQueryClient();
  const { person } = useSession();
  const onCreated = useCallback(
    (created: string) => {
      const [from, to] = [draftName(person.id, null), draftName(person.id, created)];
      for (const move of [moveDraft, moveAttachments, moveQueue]) move(from, to);
      goTo(`/chat/${created}`, { replace: true });
    },
    [goTo, person.id],
  );
  const { projectId } = useBeginning();
  const { conversation, isLoading, failure } = useStoredConversation(chatId, onCreated, projectId);
  const hit = useSearchHit(conversation);
  const retry = () => void queries.invalidateQueries({ queryKey: queryKeys.chat(chatId ?? '') });
  return (
    <ChatView conversation={conversation} isLoading={isLoading} failure={failure} retry={retry} hit={hit} />
  );
}

export function TemporaryChatPage() {
  return (
    <ChatView
      conversation={useTemporaryConversation()}
      isLoading={false}
      failure={null}
      retry={() => undefined}
      hit={undefined}
    />
  );
}

interface ChatViewProps {
  readonly conversation: Conversation;
  readonly isLoading: boolean;
  readonly failure: unknown;
  readonly retry: () => void;
  readonly hit: SearchHit | undefined;
}

function ChatView({ conversation, isLoading, failure, retry, hit }: ChatViewProps) {
  const words = useWords();
  const notices = useNotices();
  const models = useModels();
  const space = useSpaceOf(conversation);
  const offered = modelsIn(space, models);
  const composer = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(conversation);
  const [beside, setBeside] = useState<Beside>();
  useEffect(() => setBeside(undefined), [conversation.chatId]);
  const openDocument = useCallback((place: DocumentPlace) => setBeside({ place }), []);
  const openPreview = useCallback((preview: Preview) => setBeside({ preview }), []);
  const model = useMemo(
    () => models.find((candidate) => candidate.id === conversation.settings.model),
    [models, conversation.settings.model],
  );
  usePageTitle(conversation.title === '' ? words.chat.newChat : conversation.title);

  const blanks = useBlanks(composer, draft.text, conversation.chatId);
  const focusComposer = () => composer.current?.focus();
  const addWords = (words: string) => draft.write(draft.text + (draft.text === '' ? '' : '\n\n') + words);
  useHandOver(conversation, (prompt) => {
    addWords(prompt);
    blanks.begin();
  });
  useShortcut(shortcuts.focusComposer, focusComposer);
  useShortcut(shortcuts.focusComposerBySlash, focusComposer);
  useShortcut(shortcuts.stop, conversation.running === undefined ? undefined : conversation.stop);
  useArchiveShortcut(conversation);
  useShortcut(shortcuts.copyLast, () => {
    const answer = conversation.path.findLast(
      ({ role, state }) => role === 'assistant' && state !== 'running',
    );
    if (answer === undefined) return;
    void copyText(answer.content).then((isCopied) => isCopied && notices.tell(words.chat.answerCopied));
  });
  useEffect(() => {
    const field = composer.current;
    // A touch keyboard would cover half of the page at once.
    if (field === null || field === document.activeElement || !matchMedia('(pointer: fine)').matches) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }, [conversation.chatId, conversation.kind]);

  const runningId = conversation.running?.id;
  useEffect(() => {
    // What was clicked or edited is gone: whoever asked goes on with the keyboard where they write.
    const isLost = document.activeElement === document.body;
    if (runningId !== undefined && isLost && matchMedia('(pointer: fine)').matches) composer.current?.focus();
  }, [runningId]);

  // Here before the first answer is; a failure shows itself when the list is drawn.
  useEffect(() => void loadMessageList().catch(() => undefined), []);

  const isEmpty = conversation.path.length === 0 && !isLoading && failure === null;
  return (
    <div
      className={classes('flex h-full min-h-0 flex-col', conversation.kind === 'temporary' && 'temporary')}
    >
      <ChatTopBar conversation={conversation} models={offered} model={model} isThere={failure === null} />
      <div className="flex min-h-0 flex-1">
        <DocumentPlaces value={openDocument}>
          <PreviewPlaces value={openPreview}>
            <main
              className="relative flex min-h-0 min-w-0 flex-1 flex-col outline-none"
              aria-label={words.chat.conversation}
              tabIndex={-1}
            >
              <h1 className="sr-only">
                {conversation.title === '' ? words.chat.newChat : conversation.title}
              </h1>
              {failure !== null && <Failure failure={failure} retry={retry} />}
              {isLoading && <MessagesSkeleton />}
              {isEmpty && (
                <EmptyChat
                  conversation={conversation}
                  model={model}
                  choose={(prompt) => {
                    draft.write(prompt);
                    focusComposer();
                  }}
                />
              )}
              {conversation.path.length > 0 && (
                <Suspense fallback={<MessagesSkeleton />}>
                  <MessageList
                    key={conversation.kind === 'temporary' ? 'temporary' : 'stored'}
                    conversation={conversation}
                    models={offered}
                    hit={hit}
                    quote={(passage) => {
                      addWords(passage);
                      focusComposer();
                    }}
                  />
                </Suspense>
              )}
              {conversation.isArchived && conversation.chatId !== null && (
                <Suspense>
                  <ArchivedLine chatId={conversation.chatId} />
                </Suspense>
              )}
              {failure === null && conversation.kind !== 'temporary' && (
                <Suspense>
                  <SpaceLine chatId={conversation.chatId} projectId={conversation.projectId} />
                </Suspense>
              )}
              {failure === null && (
                <Composer
                  ref={composer}
                  conversation={conversation}
                  model={model}
                  closedIn={model === undefined || offered.includes(model) ? undefined : space?.name}
                  draft={draft}
                  blanks={blanks}
                />
              )}
            </main>
          </PreviewPlaces>
        </DocumentPlaces>
        {beside !== undefined && (
          <Suspense>
            <BesidePanel beside={beside} close={() => setBeside(undefined)} />
          </Suspense>
        )}
      </div>
      <Announcer running={conversation.running} last={conversation.path.at(-1)} />
    </div>
  );
}
