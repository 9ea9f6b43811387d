import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type RefObject } from 'react';
import type { Message } from '#contract/messages';
import { cameBack } from '../app/came-back.ts';
import { markWords } from './mark-words.ts';

/** The message that somebody searched for, and the words. */
export interface SearchHit {
  readonly messageId: string;
  readonly words: string;
}

interface LandingParts {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly path: readonly Message[];
  readonly chatId: string | null;
  readonly hit: SearchHit | undefined;
  readonly leaveEnd: () => void;
}

/** Where a chat opens when it is not its end: at what was searched for, or where one was before going elsewhere. */
export function useLanding({ scroller, virtualizer, path, chatId, hit, leaveEnd }: LandingParts): void {
  const hitIndex = hit === undefined ? -1 : path.findIndex(({ id }) => id === hit.messageId);
  const words = hit?.words ?? '';
  useEffect(() => {
    if (hitIndex < 0) return;
    leaveEnd();
    const stop = land(scroller, virtualizer, hitIndex, (row, view) => {
      const mark = markWords(row, words);
      const top = (mark ?? row).getBoundingClientRect().top - view.getBoundingClientRect().top;
      view.scrollTop += top - view.clientHeight / 4;
    });
    return () => {
      stop();
      markWords(undefined, '');
    };
  }, [scroller, virtualizer, hitIndex, words, leaveEnd]);

  const latestPath = useRef(path);
  useEffect(() => {
    latestPath.current = path;
  });
  useEffect(() => {
    const view = scroller.current;
    if (chatId === null || view === null) return;
    const place = cameBack() ? places.get(chatId) : undefined;
    const index = latestPath.current.findIndex(({ id }) => id === place?.messageId);
    let stop = () => {};
    if (place !== undefined && index >= 0) {
      leaveEnd();
      stop = land(scroller, virtualizer, index, (row) => {
        view.scrollTop += row.getBoundingClientRect().top - view.getBoundingClientRect().top - place.offset;
      });
    }
    const remember = () => notePlace(chatId, view, latestPath.current);
    view.addEventListener('scrollend', remember);
    return () => {
      stop();
      view.removeEventListener('scrollend', remember);
    };
  }, [chatId, scroller, virtualizer, leaveEnd]);
}

/** Rows are measured as they come into view, so one arrives in a few steps. */
function land(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  index: number,
  settle: (row: Element, view: HTMLElement) => void,
): () => void {
  virtualizer.scrollToIndex(index, { align: 'start' });
  let steps = 0;
  let frame = requestAnimationFrame(function step() {
    const row = scroller.current?.querySelector(`[data-index="${index}"]`) ?? null;
    if (row !== null && scroller.current !== null) settle(row, scroller.current);
    else virtualizer.scrollToIndex(index, { align: 'start' });
    steps += 1;
    if (steps < landingSteps) frame = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(frame);
}

const landingSteps = 12;

interface Place {
  readonly messageId: string;
  /** From the upper edge of the view to the upper edge of the message. */
  readonly offset: number;
}

/** Where each chat was left, in this window; the oldest is forgotten beyond `maxPlaces`. */
const places = new Map<string, Place>();
const maxPlaces = 100;

function notePlace(chatId: string, view: HTMLElement, path: readonly Message[]): void {
  const edge = view.getBoundingClientRect().top;
  const row = [...view.querySelectorAll('[data-index]')].find(
    (candidate) => candidate.getBoundingClientRect().bottom > edge,
  );
  const messageId = path[Number(row?.getAttribute('data-index'))]?.id;
  if (row === undefined || messageId === undefined) return;
  places.delete(chatId);
  places.set(chatId, { messageId, offset: row.getBoundingClientRect().top - edge });
  for (const oldest of places.keys()) {
    if (places.size <= maxPlaces) break;
    places.delete(oldest);
  }
}
