import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NativeContext } from '../native/native-bindings.ts';
import { createSlots } from './slots.ts';
import type { Slot } from './slots.ts';

/** The native caches as lists of tokens. */
function memoryOf(count: number, { canCopy = true } = {}) {
  const cells: number[][] = Array.from({ length: count }, () => []);
  let copies = 0;
  const context = {
    removeTokenCellsFromSequence: (id: number, start: number) => {
      cells[id]?.splice(start);
      return true;
    },
    copySequenceStateFromOtherSequence: async (target: number, source: number) => {
      copies += 1;
      if (canCopy) cells[target] = [...(cells[source] ?? [])];
      return (cells[target]?.length ?? 0) - 1;
    },
  } as unknown as NativeContext;
  const read = (slot: Slot, ...tokens: number[]) => {
    slot.tokens.push(...tokens);
    cells[slot.id]?.push(...tokens);
  };
  return { context, cells, read, copies: () => copies };
}

const passesOf = (slots: readonly Slot[]): number => {
  const places = slots.filter(({ isBusy }) => isBusy).map(({ id }) => id);
  return places.filter((place) => !places.includes(place - 1)).length;
};

test('those who write lie side by side whoever comes and leaves, and nobody gets another’s words', async () => {
  const { context, cells, read } = memoryOf(8);
  const slots = createSlots(context, 8);
  const running: Slot[] = [];
  let seed = 7;
  const dice = (sides: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % sides;
  };
  for (let turn = 0; turn < 3000; turn++) {
    if (running.length < 8 && dice(3) > 0) {
      const member = dice(5);
      const slot = await slots.claim([member, 1, 2, 3, turn], `member ${member}`, true);
      assert.ok(slot.tokens.length === 0 || slot.tokens[0] === member);
      read(slot, ...[member, 1, 2, 3, turn].slice(slot.tokens.length));
      running.push(slot);
    } else for (const slot of running.splice(dice(running.length + 1), 1)) slots.release(slot);
    await slots.closeRanks();
    for (const slot of running) read(slot, turn);
    assert.ok(passesOf(slots.all) <= 1, `${passesOf(slots.all)} passes in turn ${turn}`);
    for (const slot of slots.all) assert.deepEqual(slot.tokens, cells[slot.id]);
    assert.equal(new Set(slots.all.map(({ id }) => id)).size, 8);
  }
});

test('closing ranks loses the cache that was left alone longest, and no other', async () => {
  const { context, read } = memoryOf(4);
  const slots = createSlots(context, 4);
  const held: Slot[] = [];
  for (const member of [1, 2, 3, 4]) {
    const slot = await slots.claim([member, member], `${member}`, true);
    read(slot, member, member);
    held.push(slot);
  }
  // The first and the third write on, what the second and the fourth have read stays for them.
  for (const slot of [held[1], held[3]]) if (slot !== undefined) slots.release(slot);
  await slots.closeRanks();
  assert.equal(passesOf(slots.all), 1);
  assert.deepEqual(new Set(slots.all.map(({ tokens }) => tokens[0])), new Set([1, 3, 4, undefined]));
});

test('a cache that cannot be copied stays where it is, and is not tried again with every step', async () => {
  const { context, cells, read, copies } = memoryOf(3, { canCopy: false });
  const slots = createSlots(context, 3);
  const [first, second, third] = [
    await slots.claim([1], '1', true),
    await slots.claim([2], '2', true),
    await slots.claim([3], '3', true),
  ];
  for (const slot of [first, second, third]) read(slot, 7, 8);
  slots.release(second);
  for (let step = 0; step < 5; step++) await slots.closeRanks();
  assert.deepEqual([first.id, third.id], [0, 2]);
  for (const slot of [first, third]) assert.deepEqual(cells[slot.id], [7, 8]);
  assert.equal(copies(), 1);
});
