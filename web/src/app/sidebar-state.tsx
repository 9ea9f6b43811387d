import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';

interface SidebarState {
  /** Beside the page on a desk, over it on a phone. */
  readonly isShown: boolean;
  readonly isDrawer: boolean;
  readonly toggle: () => void;
  readonly hide: () => void;
  /** Shows the sidebar and puts the caret into its search. */
  readonly search: () => void;
  /** Where the search puts the caret; filled in by whoever draws it. */
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly isSearchWanted: boolean;
  readonly searchFound: () => void;
}

const SidebarContext = createContext<SidebarState | undefined>(undefined);

export function useSidebar(): SidebarState {
  const state = use(SidebarContext);
  if (state === undefined) throw new Error('The sidebar is part of the signed-in app.');
  return state;
}

export function SidebarProvider({ children }: { readonly children: ReactNode }) {
  const isDrawer = useIsNarrow();
  const [location] = useLocation();
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const [isDocked, setIsDocked] = useState(() => localStorage.getItem(setting) !== 'hidden');
  useEffect(() => setIsDrawerOpen(false), [location]);
  useEffect(() => localStorage.setItem(setting, isDocked ? 'shown' : 'hidden'), [isDocked]);
  const set = useCallback(
    (isShown: boolean) => (isDrawer ? setIsDrawerOpen : setIsDocked)(isShown),
    [isDrawer],
  );
  const isShown = isDrawer ? isDrawerOpen : isDocked;
  const [isSearchWanted, setIsSearchWanted] = useState(false);
  const searchField = useRef<HTMLInputElement>(null);
  const state = useMemo<SidebarState>(
    () => ({
      isShown,
      isDrawer,
      toggle: () => set(!isShown),
      hide: () => set(false),
      search: () => {
        // At once where that can be: what is typed next belongs into the field.
        if (isShown && searchField.current !== null) {
          searchField.current.focus();
          searchField.current.select();
          return;
        }
        set(true);
        setIsSearchWanted(true);
      },
      searchField,
      isSearchWanted,
      searchFound: () => setIsSearchWanted(false),
    }),
    [isShown, isDrawer, isSearchWanted, set],
  );
  return <SidebarContext value={state}>{children}</SidebarContext>;
}

const setting = 'gatehouse.sidebar';
const narrow = '(max-width: 52rem)';

function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(() => matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const listener = () => setIsNarrow(query.matches);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  }, []);
  return isNarrow;
}
