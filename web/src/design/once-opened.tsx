import { type ReactNode, Suspense, useState } from 'react';

/** What few people open is fetched when somebody does, and stays from then on, so that it can close in its own time. */
export function OnceOpened({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  return wasOpened ? <Suspense>{children}</Suspense> : null;
}
