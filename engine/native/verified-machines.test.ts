import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireVerifiedMachine } from './verified-machines.ts';

test('systems whose native code has no known digest are refused by name', () => {
  for (const machine of ['linux-x64', 'linux-arm64']) requireVerifiedMachine(machine);
  for (const machine of ['darwin-arm64', 'darwin-x64', 'win32-x64', 'win32-arm64', 'linux-riscv64'])
    assert.throws(() => requireVerifiedMachine(machine), new RegExp(`not available on ${machine}`));
});
