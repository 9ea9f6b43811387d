import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Failure } from '../design/failure.tsx';
import { Mark } from '../design/mark.tsx';
import { rememberLanguage, useRememberedLanguage } from '../language/chosen-language.ts';
import { LanguageProvider } from '../language/language.tsx';
import { SignInPage } from '../sign-in/sign-in-page.tsx';
import { usePasswordPrompt } from '../sign-in/use-password-prompt.ts';
import { useAccent } from './brand.ts';
import { NoticesProvider } from './notices.tsx';
import { ServiceContext, SessionContext, useSessionQuery, type SignedInSession } from './session.tsx';
import { SignedInApp } from './signed-in-app.tsx';
import { applyTheme } from './theme.ts';

const InvitationPage = lazy(async () => ({
  default: (await import('../sign-in/invitation-page.tsx')).InvitationPage,
}));

const SetPasswordPage = lazy(async () => ({
  default: (await import('../sign-in/set-password-page.tsx')).SetPasswordPage,
}));

const PublicStatusPage = lazy(async () => ({
  default: (await import('../status/status-page.tsx')).PublicStatusPage,
}));

/** Signed in or not: that is the first question. */
export function Front() {
  const { data: session, error, refetch } = useSessionQuery();
  const preferences = session?.person?.preferences;
  const remembered = useRememberedLanguage();
  useAccent(session?.service.accent);
  useEffect(() => {
    if (preferences === undefined) return;
    applyTheme(preferences.theme);
    rememberLanguage(preferences.language);
  }, [preferences]);
  // Nothing is said before it is known in which language.
  if (session === undefined && error === null) return <Opening />;
  return (
    <ServiceContext value={session?.service}>
      <LanguageProvider language={preferences?.language ?? remembered} opening={<Opening />}>
        <NoticesProvider>
          {session === undefined ? (
            <main className="flex h-full">
              <Failure failure={error} retry={() => void refetch()} />
            </main>
          ) : (
            <Switch>
              <Route path="/invitation">
                <Suspense fallback={<Opening />}>
                  <InvitationPage />
                </Suspense>
              </Route>
              <Route>
                {isSignedIn(session) ? <SignedIn session={session} /> : <SignedOut {...session} />}
              </Route>
            </Switch>
          )}
        </NoticesProvider>
      </LanguageProvider>
    </ServiceContext>
  );
}

function isSignedIn(session: { readonly person: unknown }): session is SignedInSession {
  return session.person !== null;
}

function SignedIn({ session }: { readonly session: SignedInSession }) {
  const [location] = useLocation();
  const passwordPrompt = usePasswordPrompt(session);
  // A one-time link for somebody who is signed in already still has to be used up.
  if (location === '/sign-in' && !globalThis.location.hash.startsWith('#link='))
    return <Redirect to={returnPath()} replace />;
  return (
    <SessionContext value={session}>
      {location === '/sign-in' ? (
        <SignInPage signIn={session.signIn} />
      ) : passwordPrompt.isDue ? (
        <Suspense fallback={<Opening />}>
          <SetPasswordPage person={session.person} later={passwordPrompt.later} />
        </Suspense>
      ) : (
        <SignedInApp />
      )}
    </SessionContext>
  );
}

function SignedOut({ signIn, problem }: Pick<SignedInSession, 'signIn' | 'problem'>) {
  const [location] = useLocation();
  if (location === '/sign-in') return <SignInPage signIn={signIn} />;
  if (location === '/status')
    return (
      <Suspense fallback={<Opening />}>
        <PublicStatusPage />
      </Suspense>
    );
  if (problem !== null) return <Redirect to={`/sign-in?problem=${problem}`} replace />;
  const returnTo = location === '/' ? '' : `?returnTo=${encodeURIComponent(location)}`;
  return <Redirect to={`/sign-in${returnTo}`} replace />;
}

/** Where somebody wanted to go before they had to sign in; only places of this app. */
function returnPath(): string {
  const wanted = new URLSearchParams(globalThis.location.search).get('returnTo') ?? '/';
  return /^\/(?![/\\])/.test(wanted) && !wanted.startsWith('/sign-in') ? wanted : '/';
}

function Opening() {
  return (
    <div className="appear-late grid h-full place-items-center" role="status" aria-label="Gatehouse">
      <Mark size={40} />
    </div>
  );
}
