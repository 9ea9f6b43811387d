import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A titled part of a page, set apart from the next by a hairline. */
export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section className="border-b border-hairline py-8 first:pt-0 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="max-w-prose min-w-0">
          <h2 className="text-lg leading-snug font-[650]">{title}</h2>
          {lead !== undefined && <p className="mt-1 text-[0.9375rem] text-pretty text-ink-soft">{lead}</p>}
        </div>
        {actions}
      </div>
      {children !== undefined && <div className="mt-5">{children}</div>}
    </section>
  );
}
