import { use, type ReactNode } from 'react';
import { SessionContext } from '../app/session.tsx';
import { Mark } from '../design/mark.tsx';
import { LanguageChoice } from '../language/language-choice.tsx';

interface ArchFrameProps {
  readonly title: string;
  readonly lead: string | undefined;
  readonly children: ReactNode;
}

/** The gate itself: whoever is not inside yet stands in front of an arch. */
export function ArchFrame({ title, lead, children }: ArchFrameProps) {
  const isKnown = use(SessionContext) !== undefined;
  return (
    <main className="h-full overflow-y-auto">
      <div className="grid min-h-full place-content-center justify-items-center gap-4 px-5 py-8">
        <div className="w-full max-w-[25rem] rounded-t-[12.5rem] rounded-b-xl border border-hairline bg-raised px-9 pt-16 pb-10 shadow-float sm:px-11">
          <div className="mb-8 flex flex-col items-center text-center">
            <Mark size={52} />
            <h1 className="mt-5 text-[1.5rem] leading-tight font-[650] tracking-[-0.012em] text-balance">
              {title}
            </h1>
            {lead !== undefined && <p className="mt-1.5 text-balance break-words text-ink-soft">{lead}</p>}
          </div>
          {children}
        </div>
        {!isKnown && <LanguageChoice />}
      </div>
    </main>
  );
}
