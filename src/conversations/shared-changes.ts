import type { Peers } from '#vocabulary/peers';

/** How many spaces are told of at once: more than change between two exchanges. */
const maxTold = 256;

/**
 * Lets the gateways hear which spaces have changed at another one. Each tells how often it has seen a space change,
 * for those that changed last: whoever reads another number than before tells its windows. Returns what tells it.
 */
export function shareChanges(
  peers: Peers,
  announce: (projectId: string) => void,
): (projectId: string) => void {
  const own = new Map<string, number>();
  let heard: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map();
  let changes = 0;

  peers.join({
    name: 'spaces/1',
    tell: () => [...own],
    hear(all) {
      const before = heard;
      heard = new Map(Array.from(all, ([gatewayId, told]) => [gatewayId, readTold(told)]));
      const changed = new Set<string>();
      for (const [gatewayId, told] of heard)
        for (const [projectId, change] of told)
          if (before.get(gatewayId)?.get(projectId) !== change) changed.add(projectId);
      for (const projectId of changed) announce(projectId);
    },
    // Whatever is heard after a gap may be news.
    lose() {
      heard = new Map();
    },
  });

  return (projectId) => {
    changes += 1;
    own.delete(projectId);
    own.set(projectId, changes);
    for (const oldest of own.keys()) if (own.size > maxTold) own.delete(oldest);
    if (peers.count > 0) peers.hurry();
  };
}

/** What is none is passed over: a gateway of another version may have told it. */
function readTold(told: unknown): ReadonlyMap<string, number> {
  const pairs = Array.isArray(told) ? (told as readonly unknown[]).filter(isPair) : [];
  return new Map(pairs.slice(0, maxTold));
}

function isPair(value: unknown): value is readonly [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
