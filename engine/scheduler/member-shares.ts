/**
 * What each member has been given of the engine, in tokens read. Whoever has been given the least goes first.
 * Idle time earns no more than a small head start for one question, and nobody owes more than a few seconds of work: the long order
 * is made before the engine, in the gateway's line. Start-time fair queueing, as there.
 */
export interface MemberShares {
  /** A sequence of theirs begins. */
  join(member: string): void;
  leave(member: string): void;
  charge(member: string, cost: number): void;
  given(member: string): number;
}

interface Share {
  given: number;
  sequences: number;
}

/** A question with a page of context. */
const headStart = 1024;
const mostOwed = 4096;
/** Members without work who are remembered for what they were given; those who left first are forgotten first. */
const maxIdle = 64;

export function createMemberShares(): MemberShares {
  const shares = new Map<string, Share>();
  /** Where the member stands who was given the least of those with work; never goes back. */
  let time = 0;

  function catchUp(): void {
    let least = Infinity;
    for (const { given, sequences } of shares.values()) if (sequences > 0) least = Math.min(least, given);
    if (least < Infinity) time = Math.max(time, least);
  }

  return {
    join(member) {
      const share = shares.get(member) ?? { given: -Infinity, sequences: 0 };
      share.given = Math.max(share.given, share.sequences === 0 ? time - headStart : time);
      share.sequences += 1;
      shares.set(member, share);
    },
    leave(member) {
      const share = shares.get(member);
      if (share === undefined) return;
      share.sequences -= 1;
      if (share.sequences > 0) return;
      shares.delete(member);
      shares.set(member, share);
      catchUp();
      for (const [name, { sequences }] of shares) {
        if (shares.size <= maxIdle) return;
        if (sequences === 0) shares.delete(name);
      }
    },
    charge(member, cost) {
      const share = shares.get(member);
      if (share === undefined) return;
      share.given += cost;
      catchUp();
      share.given = Math.min(share.given, time + mostOwed);
    },
    given: (member) => shares.get(member)?.given ?? time,
  };
}
