import type { KeyboardEvent } from 'react';
import { useSession } from '../app/session.tsx';

/** Tells of a key pressed in a field whether it sends what is written, as the person likes it. */
export function useSendKey(): (event: KeyboardEvent) => boolean {
  const { sendWithEnter } = useSession().person.preferences;
  return ({ key, shiftKey, ctrlKey, metaKey, nativeEvent }) => {
    if (key !== 'Enter' || nativeEvent.isComposing) return false;
    // On a touch keyboard Enter makes a line, as people are used to there.
    return sendWithEnter && !hasTouchKeyboard() ? !shiftKey : ctrlKey || metaKey;
  };
}

export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
