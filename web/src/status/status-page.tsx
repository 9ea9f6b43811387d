import { Link, Redirect } from 'wouter';
import { AnnouncementText } from '../app/announcements-bar.tsx';
import { PageFrame } from '../app/page-frame.tsx';
import { usePageTitle } from '../app/use-page-title.ts';
import { CallFailed } from '../client/call-failed.ts';
import { Failure } from '../design/failure.tsx';
import { Mark } from '../design/mark.tsx';
import { LanguageChoice } from '../language/language-choice.tsx';
import { useStatusWords } from '../language/status-words.ts';
import { StatusContent, useStatusReport } from './status-content.tsx';

/** For people who are signed in, beside everything else. */
export function StatusPage() {
  const words = useStatusWords();
  const { data, error, refetch } = useStatusReport();
  return (
    <PageFrame title={words.title} lead={words.lead}>
      {data === undefined && error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && <StatusContent report={data} />}
    </PageFrame>
  );
}

/** For everybody else, where the operator likes it; otherwise the way to sign in. */
export function PublicStatusPage() {
  const words = useStatusWords();
  const { data, error, refetch } = useStatusReport();
  usePageTitle(words.title);
  if (error instanceof CallFailed && error.code === 'sign_in_required')
    return <Redirect to="/sign-in?returnTo=%2Fstatus" replace />;
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-5 pt-8 pb-20 sm:px-8">
        <p className="mb-8 flex items-center justify-between gap-4">
          <span className="flex items-center gap-2.5 font-[650]">
            <Mark size={24} />
            {data?.service}
          </span>
          <span className="flex items-center gap-3">
            <LanguageChoice />
            <Link href="/sign-in" className="text-accent-strong underline">
              {words.signIn}
            </Link>
          </span>
        </p>
        <h1 className="text-[1.625rem] leading-tight font-[650] tracking-[-0.012em]">{words.title}</h1>
        <p className="mt-2 mb-8 max-w-prose text-ink-soft">{words.lead}</p>
        {data === undefined && error !== null && <Failure failure={error} retry={() => void refetch()} />}
        {data?.announcements.map((announcement) => (
          <div key={announcement.id} className="mb-4 overflow-hidden rounded-lg border border-hairline">
            <AnnouncementText announcement={announcement} />
          </div>
        ))}
        {data !== undefined && <StatusContent report={data} />}
      </div>
    </main>
  );
}
