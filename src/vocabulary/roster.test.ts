import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Roster, type RosterEntry } from './roster.ts';

test('a roster holds what was added and not removed, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 200 }), (steps) => {
      const roster = new Roster<number>();
      const expected = new Map<number, RosterEntry>();
      const removed: RosterEntry[] = [];
      for (const [index, step] of steps.entries()) {
        const victim = [...expected][step % (expected.size + 1)];
        if (victim === undefined || step % 3 > 0) expected.set(index, roster.add(index));
        else {
          roster.remove(victim[1]);
          expected.delete(victim[0]);
          removed.push(victim[1]);
        }
        for (const entry of removed) roster.remove(entry);
        assert.deepEqual(
          roster.members().toSorted((a, b) => a - b),
          [...expected.keys()],
        );
      }
      assert.equal(roster.size, expected.size);
    }),
  );
});
