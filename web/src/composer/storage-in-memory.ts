/** What a browser would remember, for tests. Its entries are its fields, as those of a browser's are. */
export function memory(): object {
  const methods = {
    getItem: (name: string) => Reflect.get(entries, name) ?? null,
    setItem: (name: string, value: string) => void Reflect.set(entries, name, value),
    removeItem: (name: string) => void Reflect.deleteProperty(entries, name),
  };
  const entries: object = Object.create(methods);
  return entries;
}

export function rememberInMemory(): Readonly<Record<string, unknown>> {
  const kept = memory();
  Object.defineProperty(globalThis, 'localStorage', { value: kept, configurable: true });
  return kept as Record<string, unknown>;
}
