import { useState } from 'react';
import type { SignedInSession } from '../app/session.tsx';

/** Kept in this browser, for each person. */
const laterSetting = 'gatehouse.password-later';

export function usePasswordPrompt({ person, signedInBy }: SignedInSession): {
  readonly isDue: boolean;
  readonly later: () => void;
} {
  const [putOffBy, setPutOffBy] = useState(() => localStorage.getItem(laterSetting));
  return {
    isDue:
      signedInBy === 'link' &&
      person.maySetPassword &&
      !person.hasPassword &&
      person.providers.length === 0 &&
      putOffBy !== person.id,
    later() {
      localStorage.setItem(laterSetting, person.id);
      setPutOffBy(person.id);
    },
  };
}
