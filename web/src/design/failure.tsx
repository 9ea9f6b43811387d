import { Link } from 'wouter';
import { failureSentence } from '../app/failure-sentence.ts';
import { CallFailed } from '../client/call-failed.ts';
import { useWords } from '../language/language.tsx';
import { Button, buttonClasses } from './button.tsx';
import { Icon } from './icon.tsx';

interface FailureProps {
  readonly failure: unknown;
  readonly retry?: (() => void) | undefined;
}

/** A whole region that could not be shown: what happened and what to do. */
export function Failure({ failure, retry }: FailureProps) {
  const words = useWords();
  const isMissing = failure instanceof CallFailed && failure.status === 404;
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 p-8 text-center" role="alert">
      <span className="text-ink-faint">
        <Icon
          name={failure instanceof CallFailed && failure.status === 0 ? 'wifiOff' : 'warning'}
          size={28}
        />
      </span>
      <p className="text-lg font-semibold">{isMissing ? words.failure.missing : words.failure.title}</p>
      <p className="max-w-prose text-balance text-ink-soft">{failureSentence(failure, words)}</p>
      {isMissing && (
        <Link href="/" className={buttonClasses('plain')}>
          {words.notFound.home}
        </Link>
      )}
      {retry !== undefined && !isMissing && <Button onClick={retry}>{words.general.tryAgain}</Button>}
    </div>
  );
}
