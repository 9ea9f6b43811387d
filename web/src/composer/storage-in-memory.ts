/** What a browser would remember, for tests. */
export function rememberInMemory(): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  return kept;
}
