/**
 * Loaded into the real program before it starts (`--import`): the clock of its machine is wrong by as much as the file
 * `CLOCK_JUMP_FILE` says, in milliseconds, and jumps when that changes. What only counts how much time has passed is
 * right, as it is on a real machine.
 */
import { readFileSync } from 'node:fs';

const file = process.env['CLOCK_JUMP_FILE'] ?? '';
const TrueDate = Date;
let skewMs = 0;

globalThis.Date = class extends TrueDate {
  constructor(...words: [] | [string | number | Date]) {
    if (words.length === 0) super(TrueDate.now() + skewMs);
    else super(...words);
  }

  static override now(): number {
    return TrueDate.now() + skewMs;
  }
} as DateConstructor;

look();
setInterval(look, 50).unref();

function look(): void {
  try {
    skewMs = Number(readFileSync(file, 'utf8'));
  } catch {
    // Nobody has asked for a jump yet.
  }
}
