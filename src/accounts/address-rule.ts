import { createNetworkMatcher } from '#vocabulary/address';

/** A key is used from few places; more than these are looked up again. */
const maxRememberedAddresses = 64;

/** From where a key may be used; no networks means from everywhere. Nothing is compiled before somebody asks. */
export function createAddressRule(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return permitsAll;
  let match: ReturnType<typeof createNetworkMatcher> | undefined;
  return (address) => {
    match ??= createNetworkMatcher(
      networks.map((cidr) => ({ cidr })),
      maxRememberedAddresses,
    );
    return match(address) !== undefined;
  };
}

function permitsAll(): boolean {
  return true;
}
