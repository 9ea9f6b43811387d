import { useMemo, useState } from 'react';

const setting = 'gatehouse.open-folders';

/** Which folders are open; this browser remembers it. */
export function useOpenFolders(): {
  readonly all: ReadonlySet<string>;
  readonly toggle: (folderId: string) => void;
} {
  const [open, setOpen] = useState(() => (localStorage.getItem(setting) ?? '').split(' ').filter(Boolean));
  const all = useMemo(() => new Set(open), [open]);
  return {
    all,
    toggle(folderId) {
      const next = all.has(folderId) ? open.filter((id) => id !== folderId) : [...open, folderId];
      localStorage.setItem(setting, next.slice(-maxRemembered).join(' '));
      setOpen(next);
    },
  };
}

const maxRemembered = 200;
