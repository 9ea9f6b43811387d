import { useEffect, useState, type RefObject } from 'react';
import { countBlanks, nextBlank, type Span } from './blanks.ts';

/** The blanks of words that a preset has put into the field, one after the other. */
export interface Blanks {
  /** How many remain; none when nobody fills in. */
  readonly remaining: number;
  /** Words were just put into the field: leads to their first blank. */
  begin(): void;
  /** False when there is no other than the one that is selected. */
  step(isBackwards?: boolean): boolean;
  end(): void;
}

export function useBlanks(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  /** Another chat has other words. */
  chatId: string | null,
): Blanks {
  const [begunIn, setBegunIn] = useState<string | null>();
  const isFilling = begunIn === chatId && text !== '';
  // What is sent or rubbed out is filled in no more.
  useEffect(() => {
    if (text === '') setBegunIn(undefined);
  }, [text]);

  const select = (from: Span, isBackwards = false): boolean => {
    const element = field.current;
    if (element === null) return false;
    element.focus();
    const span = nextBlank(element.value, from, isBackwards);
    if (span !== undefined) element.setSelectionRange(span.from, span.to);
    return span !== undefined;
  };
  return {
    remaining: isFilling ? countBlanks(text) : 0,
    begin() {
      setBegunIn(chatId);
      // When the words are in the field.
      requestAnimationFrame(() => {
        const end = field.current?.value.length ?? 0;
        if (!select({ from: 0, to: 0 })) field.current?.setSelectionRange(end, end);
      });
    },
    step(isBackwards = false) {
      const element = field.current;
      if (element === null || !isFilling) return false;
      return select({ from: element.selectionStart, to: element.selectionEnd }, isBackwards);
    },
    end: () => setBegunIn(undefined),
  };
}
