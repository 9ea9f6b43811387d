import { statSync } from 'node:fs';

/** What the checks between knobs need to speak about the file. */
export interface Assembly {
  /** False when a mistake about this knob, or one inside it, is known: then nothing is concluded from it. */
  readonly isSound: (knob: string) => boolean;
  readonly refuse: (knob: string, problem: string, remedy: string) => void;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
