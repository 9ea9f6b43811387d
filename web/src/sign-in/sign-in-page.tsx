import { use, useEffect, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { SessionState, SignInProblem } from '#contract/session';
import { failureSentence } from '../app/failure-sentence.ts';
import { SessionContext, useService, useSessionReplacement } from '../app/session.tsx';
import { usePageTitle } from '../app/use-page-title.ts';
import { CallFailed } from '../client/call-failed.ts';
import { useClient } from '../client/client-context.tsx';
import { buttonClasses } from '../design/button.tsx';
import { useWords } from '../language/language.tsx';
import { ArchFrame } from './arch-frame.tsx';
import { LinkCommand } from './link-command.tsx';
import { PasswordForm } from './password-form.tsx';
import { providerAddress } from './provider-address.ts';
import { isRefused, RefusedPage } from './refused-page.tsx';

export function SignInPage({ signIn }: { readonly signIn: SessionState['signIn'] }) {
  const words = useWords();
  const service = useService();
  const link = useOneTimeLink();
  const code = knownProblem(new URLSearchParams(useSearch()).get('problem'), words.signIn.problems);
  const refused = link.problem === undefined && isRefused(code) ? code : undefined;
  usePageTitle(refused === undefined ? words.signIn.title : words.signIn.refused[refused]);
  if (link.isWorking) {
    return (
      <ArchFrame title={words.signIn.opening} lead={words.signIn.openingLead}>
        <p role="status" className="flex justify-center">
          <span className="breathing h-5 w-2 rounded-sm bg-accent" />
          <span className="sr-only">{words.general.loading}</span>
        </p>
      </ArchFrame>
    );
  }
  if (refused !== undefined) return <RefusedPage reason={refused} providers={signIn.providers} />;
  const problem = link.problem ?? (code === undefined ? undefined : words.signIn.problems[code]);
  return (
    <ArchFrame
      title={service?.name ?? ''}
      lead={service?.signInLead === '' ? words.signIn.lead : service?.signInLead}
    >
      {problem !== undefined && (
        <p role="alert" className="mb-5 rounded-lg bg-danger-wash px-3.5 py-2.5 text-[0.9375rem] text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-col gap-2.5">
        {signIn.providers.map((provider, index) => (
          <a
            key={provider.id}
            href={providerAddress(provider.id)}
            className={buttonClasses(index === 0 ? 'primary' : 'plain')}
          >
            {words.signIn.withProvider(provider.name)}
          </a>
        ))}
      </div>
      {signIn.providers.length > 0 && signIn.password && (
        <div className="my-6 flex items-center gap-3 text-sm text-ink-faint" role="separator">
          <span className="h-px flex-1 bg-hairline" />
          {words.signIn.or}
          <span className="h-px flex-1 bg-hairline" />
        </div>
      )}
      {signIn.password && (
        <PasswordForm isOnlyWay={signIn.providers.length === 0} sendsLinks={signIn.sendsLinks} />
      )}
      {link.problem === undefined ? (
        <p className="mt-6 text-center text-sm break-words whitespace-pre-line text-ink-soft">
          {service?.signInHelp === '' ? words.signIn.help : service?.signInHelp}
        </p>
      ) : (
        <LinkCommand lead={words.signIn.newLink} email="EMAIL" />
      )}
      {service?.isStatusPublic === true && (
        <p className="mt-3 text-center text-sm">
          <Link href="/status" className="text-accent-strong underline">
            {words.userMenu.status}
          </Link>
        </p>
      )}
    </ArchFrame>
  );
}

/** `/sign-in#link=<token>`: the token leaves the address bar as soon as it is used, and works once. */
function useOneTimeLink(): { readonly isWorking: boolean; readonly problem: string | undefined } {
  const words = useWords();
  const client = useClient();
  const replaceSession = useSessionReplacement();
  const isSignedIn = use(SessionContext) !== undefined;
  const [token, setToken] = useState(tokenOfAddress);
  const [problem, setProblem] = useState<string>();
  const usedToken = useRef<string>(undefined);
  useEffect(() => {
    // Somebody who pastes a link into this very page changes the address, not the page.
    const listener = () => setToken(tokenOfAddress());
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, []);
  useEffect(() => {
    if (token === undefined || usedToken.current === token) return;
    usedToken.current = token;
    setProblem(undefined);
    client
      .call('POST /console/sign-in/link', { body: { token } })
      .then((session) => {
        history.replaceState(null, '', '/');
        replaceSession(session);
      })
      .catch((failure: unknown) => {
        // Whoever opens the link of yesterday once more has come in by it already.
        const staysIn = isSignedIn && failure instanceof CallFailed && failure.status === 401;
        history.replaceState(null, '', staysIn ? '/' : '/sign-in');
        if (!staysIn) setProblem(failureSentence(failure, words));
      });
  }, [token, client, isSignedIn, replaceSession, words]);
  return { isWorking: token !== undefined && problem === undefined, problem };
}

function tokenOfAddress(): string | undefined {
  return location.hash.startsWith('#link=') ? decodeURIComponent(location.hash.slice(6)) : undefined;
}

function knownProblem(
  code: string | null,
  sentences: Readonly<Record<SignInProblem, string>>,
): SignInProblem | undefined {
  if (code === null) return undefined;
  return Object.hasOwn(sentences, code) ? (code as SignInProblem) : 'provider_refused';
}
