import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../app/session.tsx';
import { classes } from '../design/classes.ts';
import { useAdministrationWords } from '../language/administration-words.ts';
import { administrationSections, type SectionGroup } from './administration-sections.tsx';

const groups: readonly SectionGroup[] = ['service', 'people'];

/** Beside the page on a desk; on a phone one line to swipe, with the current page in view. */
export function AdministrationNavigation() {
  const words = useAdministrationWords();
  const { capabilities } = useSession();
  const shown = administrationSections.filter(
    (section) => !section.needsInvitations || capabilities.mayInvite,
  );
  return (
    <nav
      aria-label={words.sections}
      className="max-lg:relative max-lg:-mx-5 max-lg:overflow-x-auto max-lg:border-b max-lg:border-hairline max-lg:px-5 max-lg:pb-2 sm:max-lg:-mx-8 sm:max-lg:px-8"
    >
      <div className="flex gap-1 lg:flex-col lg:gap-6">
        {groups.map((group) => (
          <div key={group}>
            <p
              id={`sections-${group}`}
              className="mb-1 px-3 text-[0.8125rem] font-[550] text-ink-faint max-lg:sr-only"
            >
              {words.groups[group]}
            </p>
            <ul aria-labelledby={`sections-${group}`} className="flex gap-1 lg:flex-col lg:gap-0.5">
              {shown
                .filter((section) => section.group === group)
                .map(({ id, path }) => (
                  <Entry key={id} path={path}>
                    {words.pages[id].title}
                  </Entry>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

function Entry({ path, children }: { readonly path: string; readonly children: string }) {
  const [location] = useLocation();
  const isCurrent = location === path || (path !== '/administration' && location.startsWith(`${path}/`));
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const own = item.current;
    const line = own?.closest('nav');
    if (!isCurrent || own === null || line == null) return;
    // The line alone: asked to bring the last entry to the middle, a browser would move the whole page.
    const offset = own.getBoundingClientRect().left - line.getBoundingClientRect().left;
    line.scrollLeft += offset - (line.clientWidth - own.offsetWidth) / 2;
  }, [isCurrent]);
  return (
    <li ref={item}>
      <Link
        href={path}
        aria-current={isCurrent ? 'page' : undefined}
        className={classes(
          'block rounded-lg px-3 py-1.5 text-[0.9375rem] whitespace-nowrap transition-colors duration-150 hover:bg-sunken',
          isCurrent ? 'bg-sunken font-[600] text-ink' : 'text-ink-soft',
        )}
      >
        {children}
      </Link>
    </li>
  );
}
