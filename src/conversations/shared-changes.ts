import type { Clock } from '#vocabulary/clock';
import type { Peers } from '#vocabulary/peers';

/** How many changes are told at once: more than happen between two exchanges. */
const maxTold = 256;
/** Long enough for a gateway whose news are late. */
const toldForMs = 15_000;

/**
 * Lets the gateways hear what has changed at another one. Each tells how often it has seen something change, for what
 * changed last: whoever reads another number than before tells its windows. Returns what tells it.
 */
export function shareChanges(parts: {
  readonly topic: string;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly announce: (what: string) => void;
}): (what: string) => void {
  const { peers, clock } = parts;
  const own = new Map<string, { readonly change: number; readonly at: number }>();
  let heard: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map();
  let changes = 0;

  peers.join({
    name: parts.topic,
    tell() {
      const old = clock.monotonicMs() - toldForMs;
      for (const [what, { at }] of own) if (at < old) own.delete(what);
      return Array.from(own, ([what, { change }]) => [what, change]);
    },
    hear(all) {
      const before = heard;
      heard = new Map(Array.from(all, ([gatewayId, told]) => [gatewayId, readTold(told)]));
      const changed = new Set<string>();
      for (const [gatewayId, told] of heard)
        for (const [what, change] of told) if (before.get(gatewayId)?.get(what) !== change) changed.add(what);
      for (const what of changed) parts.announce(what);
    },
    // Whatever is heard after a gap may be news.
    lose() {
      heard = new Map();
    },
  });

  return (what) => {
    changes += 1;
    own.delete(what);
    own.set(what, { change: changes, at: clock.monotonicMs() });
    for (const oldest of own.keys()) if (own.size > maxTold) own.delete(oldest);
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
