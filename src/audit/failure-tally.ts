import type { Device } from '#vocabulary/person-desks';

/** What failed for one account within a window. */
export interface Tally {
  readonly personId: string | undefined;
  /** The last one. */
  readonly device: Device;
  readonly attempts: number;
  /** Different ones, as far as they were counted. */
  readonly addresses: number;
}

/** Accounts and addresses that are told apart within a window; what is beyond is counted together. */
const maxAccounts = 200;
const maxAddresses = 100;

interface Counter {
  attempts: number;
  device: Device;
  readonly addresses: Set<string>;
}

/**
 * Failed sign-ins, gathered. However many there are, a window leaves at most 201 entries: one for each account that
 * was tried, one for all others together. What was typed as an address is not kept: it may be a password.
 */
export interface FailureTally {
  count(personId: string | undefined, device: Device): void;
  /** Everything so far, once. */
  take(): readonly Tally[];
}

export function createFailureTally(): FailureTally {
  let counters = new Map<string | undefined, Counter>();
  return {
    count(personId, device) {
      const key = counters.has(personId) || counters.size < maxAccounts ? personId : undefined;
      const counter = counters.get(key) ?? { attempts: 0, device, addresses: new Set() };
      counter.attempts += 1;
      counter.device = device;
      if (counter.addresses.size < maxAddresses) counter.addresses.add(device.address);
      counters.set(key, counter);
    },
    take() {
      const taken = [...counters].map(([personId, { attempts, device, addresses }]) => ({
        personId,
        device,
        attempts,
        addresses: addresses.size,
      }));
      counters = new Map();
      return taken;
    },
  };
}
