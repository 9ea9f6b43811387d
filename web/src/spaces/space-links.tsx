import { Link, useLocation } from 'wouter';
import { useSidebar } from '../app/sidebar-state.tsx';
import { classes } from '../design/classes.ts';
import { Icon } from '../design/icon.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';
import { spaceAddress } from './space-line.tsx';
import { useSpaces } from './use-spaces.ts';

/** The projects of the person, in the sidebar; nothing for whoever has none. */
export function SpaceLinks() {
  const words = useSpacesWords();
  const sidebar = useSidebar();
  const [location] = useLocation();
  const spaces = useSpaces();
  if (spaces.length === 0) return null;
  return (
    <nav aria-label={words.spaces} className="px-2 pb-1">
      <ul className="max-h-36 overflow-y-auto">
        {spaces.map(({ projectId, name }) => {
          const address = spaceAddress(projectId);
          const isHere = location === address || location.startsWith(`${address}/`);
          return (
            <li key={projectId}>
              <Link
                href={address}
                aria-current={isHere ? 'page' : undefined}
                className={classes(
                  'flex h-9 items-center gap-2.5 rounded-lg px-2.5 transition-colors duration-150 hover:bg-pressed',
                  isHere && 'bg-pressed',
                )}
                onClick={() => sidebar.isDrawer && sidebar.hide()}
              >
                <span className="text-ink-soft">
                  <Icon name="people" />
                </span>
                <span dir="auto" className="min-w-0 truncate">
                  {name}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
