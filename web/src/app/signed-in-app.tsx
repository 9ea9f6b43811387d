import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { ChatPage, TemporaryChatPage } from '../chat/chat-page.tsx';
import { useWords } from '../language/language.tsx';
import { useServiceWorker } from '../offline/use-service-worker.ts';
import { Sidebar } from '../sidebar/sidebar.tsx';
import { OnceOpened } from '../design/once-opened.tsx';
import { AnnouncementsBar } from './announcements-bar.tsx';
import { ChatAtHandProvider, useNewChatAtHand } from './chat-at-hand.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { ShortcutSheetProvider } from './shortcut-sheet.tsx';
import { shortcuts, useShortcut } from './shortcuts.ts';
import { SidebarProvider, useSidebar } from './sidebar-state.tsx';
import { usePalette } from './use-palette.ts';
import { usePersonEvents } from './use-person-events.ts';

const AccountNotices = lazy(async () => ({
  default: (await import('../settings/account-notices.tsx')).AccountNotices,
}));
const QuestionsElsewhere = lazy(async () => ({
  default: (await import('../composer/questions-elsewhere.tsx')).QuestionsElsewhere,
}));
const SettingsPage = lazy(async () => ({
  default: (await import('../settings/settings-page.tsx')).SettingsPage,
}));
const ArchivedPage = lazy(async () => ({
  default: (await import('../keeping/archived-page.tsx')).ArchivedPage,
}));
const ConnectPage = lazy(async () => ({
  default: (await import('../connect/connect-page.tsx')).ConnectPage,
}));
const UsagePage = lazy(async () => ({ default: (await import('../usage/usage-page.tsx')).UsagePage }));
const AdministrationPage = lazy(async () => ({
  default: (await import('../admin/administration-page.tsx')).AdministrationPage,
}));
const ComparePage = lazy(async () => ({
  default: (await import('../compare/compare-page.tsx')).ComparePage,
}));
const StatusPage = lazy(async () => ({ default: (await import('../status/status-page.tsx')).StatusPage }));
const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const ProjectPage = lazy(async () => ({
  default: (await import('../admin/projects/project-page.tsx')).ProjectPage,
}));
const SpacePage = lazy(async () => ({ default: (await import('../spaces/space-page.tsx')).SpacePage }));
const SpaceChatPage = lazy(async () => ({
  default: (await import('../spaces/space-chat-page.tsx')).SpaceChatPage,
}));
const SharedChatPage = lazy(async () => ({
  default: (await import('../sharing/shared-chat-page.tsx')).SharedChatPage,
}));

export function SignedInApp() {
  const { isReachable } = usePersonEvents();
  useServiceWorker();
  const chatAtHand = useNewChatAtHand();
  return (
    <SidebarProvider>
      <ShortcutSheetProvider>
        <ChatAtHandProvider value={chatAtHand}>
          <Layout isReachable={isReachable} />
        </ChatAtHandProvider>
      </ShortcutSheetProvider>
    </SidebarProvider>
  );
}

function Layout({ isReachable }: { readonly isReachable: boolean }) {
  const words = useWords();
  const sidebar = useSidebar();
  const [location, goTo] = useLocation();
  useShortcut(shortcuts.newChat, () => goTo('/'));
  useShortcut(shortcuts.toggleSidebar, sidebar.toggle);
  useShortcut(shortcuts.search, sidebar.search);
  const palette = usePalette();
  return (
    <div className="flex h-full flex-col">
      <a
        href="#page"
        className="floating absolute start-3 top-3 z-50 -translate-y-20 px-3 py-1.5 focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('main')?.focus();
        }}
      >
        {words.general.skipToContent}
      </a>
      <OfflineBar isReachable={isReachable} />
      <AnnouncementsBar />
      <Suspense>
        <AccountNotices />
      </Suspense>
      <Suspense>
        <QuestionsElsewhere />
      </Suspense>
      <div className="flex min-h-0 flex-1">
        <Sidebar />
        <div id="page" className="flex min-w-0 flex-1 flex-col">
          <ErrorBoundary key={pageOf(location)}>
            <Suspense fallback={null}>
              <Pages />
            </Suspense>
          </ErrorBoundary>
        </div>
      </div>
      <OnceOpened isOpen={palette.isOpen}>
        <Palette {...palette} />
      </OnceOpened>
    </div>
  );
}

/** A new chat becomes a stored one in place: nothing is drawn anew, and the caret stays where it is. */
function pageOf(location: string): string {
  const [, first = ''] = location.split('/');
  return first === '' ? 'chat' : first;
}

function Pages() {
  return (
    <Switch>
      <Route path="/temporary">
        <TemporaryChatPage />
      </Route>
      <Route path={/^\/(?:chat\/(?<chatId>[^/]+))?$/}>
        {({ chatId }) => <ChatPage chatId={chatId ?? null} />}
      </Route>
      <Route path={/^\/compare(?:\/(?<chatId>[^/]+)(?<blind>\/blind)?)?$/}>
        {({ chatId, blind }) => (
          <ComparePage key={chatId ?? ''} chatId={chatId ?? null} isBlind={blind !== undefined} />
        )}
      </Route>
      <Route path="/shared/:shareId">{({ shareId }) => <SharedChatPage shareId={shareId} />}</Route>
      <Route path="/spaces/:projectId">
        {({ projectId }) => <SpacePage key={projectId} projectId={projectId} />}
      </Route>
      <Route path="/spaces/:projectId/chats/:chatId">
        {({ projectId, chatId }) => <SpaceChatPage key={chatId} projectId={projectId} chatId={chatId} />}
      </Route>
      <Route path="/settings/*?">
        <SettingsPage />
      </Route>
      <Route path="/archived">
        <ArchivedPage />
      </Route>
      <Route path="/connect">
        <ConnectPage />
      </Route>
      <Route path="/usage">
        <UsagePage />
      </Route>
      <Route path="/status">
        <StatusPage />
      </Route>
      <Route path="/projects/:projectId">
        {({ projectId }) => <ProjectPage key={projectId} projectId={projectId} />}
      </Route>
      <Route path="/administration/*?">
        <AdministrationPage />
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}
