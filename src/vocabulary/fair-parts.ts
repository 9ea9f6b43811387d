/** What one of several gateways wants of something that they share. */
export interface Demand {
  readonly gatewayId: string;
  readonly wanted: number;
  /** It is of use in whole pieces of this size. */
  readonly unit: number;
  /** Pieces in each round. */
  readonly weight: number;
  /** Whoever went without for longer is asked first. */
  readonly hunger: number;
  /** It gets what it wants, and nothing for whoever comes next: nobody does. */
  readonly isLeaving?: boolean;
}

/**
 * Parts of what is there: in rounds to those who want something, in the order of their hunger; then what is left
 * evenly to all, so that whoever comes next need not ask. Everybody who knows the same comes to the same parts.
 * `kept`: how many more such even parts nobody gets, for whoever else may come.
 */
export function fairParts(total: number, demands: readonly Demand[], kept = 0): Map<string, number> {
  const parts = new Map(demands.map(({ gatewayId }) => [gatewayId, 0]));
  const byName = demands.toSorted((a, b) => (a.gatewayId < b.gatewayId ? -1 : 1));
  let left = Math.max(0, total);
  const give = (gatewayId: string, amount: number) => {
    parts.set(gatewayId, (parts.get(gatewayId) ?? 0) + amount);
    left -= amount;
  };
  let hungry = byName.toSorted((a, b) => b.hunger - a.hunger);
  while (hungry.length > 0)
    hungry = hungry.filter(({ gatewayId, wanted, unit, weight }) => {
      const missing = wanted - (parts.get(gatewayId) ?? 0);
      const piece = Math.min(missing, unit * weight, Math.floor(left / unit) * unit);
      if (piece <= 0) return false;
      give(gatewayId, piece);
      return true;
    });
  const staying = byName.filter(({ isLeaving }) => isLeaving !== true);
  const even = staying.length === 0 ? 0 : Math.floor(left / (staying.length + kept));
  for (const { gatewayId } of staying) give(gatewayId, even);
  if (kept === 0) for (const { gatewayId } of staying) if (left >= 1) give(gatewayId, 1);
  return parts;
}
