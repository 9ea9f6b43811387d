/** Clicks that were seen lately, so that the same one counts once; the oldest is forgotten beyond this. */
const maxRememberedClicks = 2000;

/** The same click twice gets the same answer; a click that failed may be repeated. */
export function createRememberedClicks() {
  const clicks = new Map<string, Promise<() => Promise<unknown>>>();

  return async function once<T>(
    key: string,
    begin: () => Promise<T>,
    remember: (begun: T) => () => Promise<T>,
  ): Promise<T> {
    const known = clicks.get(key);
    if (known !== undefined) return (await (known as Promise<() => Promise<T>>))();
    const begun = begin();
    const remembered = begun.then(remember);
    clicks.set(key, remembered);
    remembered.catch(() => clicks.delete(key));
    for (const oldest of clicks.keys()) {
      if (clicks.size <= maxRememberedClicks) break;
      clicks.delete(oldest);
    }
    return begun;
  };
}
