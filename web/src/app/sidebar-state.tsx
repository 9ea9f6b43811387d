import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

interface SidebarState {
  /** Beside the page on a desk, over it on a phone. */
  readonly isShown: boolean;
  readonly isDrawer: boolean;
  readonly toggle: () => void;
  readonly hide: () => void;
  /** Shows the sidebar and puts the caret into its search. */
  readonly search: () => void;
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
  const state = useMemo<SidebarState>(
    () => ({
      isShown,
      isDrawer,
      toggle: () => set(!isShown),
      hide: () => set(false),
      search: () => {
        set(true);
        setIsSearchWanted(true);
      },
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
