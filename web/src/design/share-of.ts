/** From 0 to 1; of nothing, everything is used. */
export function shareOf(used: number, amount: number): number {
  return amount <= 0 ? 1 : Math.min(1, used / amount);
}
