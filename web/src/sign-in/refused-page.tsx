import { useState } from 'react';
import { Link } from 'wouter';
import type { SessionState, SignInProblem } from '#contract/session';
import { buttonClasses } from '../design/button.tsx';
import type { Words } from '../language/en/first.ts';
import { useWords } from '../language/language.tsx';
import { ArchFrame } from './arch-frame.tsx';
import { providerAddress } from './provider-address.ts';

type Refused = keyof Words['signIn']['refused'];

interface RefusedPageProps {
  readonly reason: Refused;
  readonly providers: SessionState['signIn']['providers'];
}

/** The provider knows this person, the service does not let them in: why, as whom, and what to do now. */
export function RefusedPage({ reason, providers }: RefusedPageProps) {
  const words = useWords().signIn;
  const [account] = useState(accountOfAddress);
  return (
    <ArchFrame
      title={words.refused[reason]}
      lead={account === undefined ? undefined : words.signedInAs(account)}
    >
      <p role="alert" className="text-center text-balance">
        {words.problems[reason]}
      </p>
      <div className="mt-7 flex flex-col gap-2.5">
        {providers.map(({ id, name }) => (
          <a key={id} href={providerAddress(id, { account: 'other' })} className={buttonClasses('plain')}>
            {providers.length === 1 ? words.otherAccount : words.otherAccountWith(name)}
          </a>
        ))}
        <Link href="/sign-in" className={buttonClasses('quiet')}>
          {words.back}
        </Link>
      </div>
    </ArchFrame>
  );
}

export function isRefused(code: SignInProblem | undefined): code is Refused {
  return code === 'not_permitted' || code === 'account_pending' || code === 'account_disabled';
}

function accountOfAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('account') ?? undefined;
}
