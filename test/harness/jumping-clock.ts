/**
 * Loaded into the real program before it starts (`--import`): the clock of its machine is wrong by as much as the file
 * `CLOCK_JUMP_FILE` says, in milliseconds, and jumps when that changes. What only counts how much time has passed is
 * right, as it is on a real machine.
 */
import { readFileSync } from 'node:fs';
import { setClockWrong } from './wrong-clock.ts';

const file = process.env['CLOCK_JUMP_FILE'] ?? '';
let skewMs = 0;

setClockWrong(() => skewMs);
look();
setInterval(look, 50).unref();

function look(): void {
  try {
    skewMs = Number(readFileSync(file, 'utf8'));
  } catch {
    // Nobody has asked for a jump yet.
  }
}
