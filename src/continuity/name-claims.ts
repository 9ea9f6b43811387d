/**
 * Names under which this gateway is about to begin an answer, while it still asks the others whether they have it. Of
 * two that want to begin the same at the same time, the older request may: ids of requests are in order of time.
 */
export interface NameClaims {
  /** Undefined when another request here has it. */
  make(id: string, requestId: string): Disposable | undefined;
  /** What this gateway says to one that wants it: it may have it, or has to wait for what becomes of the claim here. */
  judge(id: string, rivalRequestId: string | undefined): 'unclaimed' | 'yours' | 'wait';
}

export function createNameClaims(): NameClaims {
  /** As many as there are requests that ask. */
  const claims = new Map<string, string>();
  return {
    make(id, requestId) {
      if (claims.has(id)) return undefined;
      claims.set(id, requestId);
      return {
        [Symbol.dispose]() {
          if (claims.get(id) === requestId) claims.delete(id);
        },
      };
    },
    judge(id, rivalRequestId) {
      const own = claims.get(id);
      if (own === undefined) return 'unclaimed';
      return rivalRequestId !== undefined && rivalRequestId < own ? 'yours' : 'wait';
    },
  };
}
