/**
 * Server-sent events with named types. The browser reconnects by itself and tells the server the last sequence
 * number it saw. `refused` is called when the server will not have us (signed out, gone); then it is over.
 */
export function listenToEvents<Event extends { readonly type: string }>(
  address: string,
  types: readonly Event['type'][],
  listener: {
    readonly arrived: (event: Event) => void;
    readonly interrupted: () => void;
    readonly resumed: () => void;
    readonly refused: () => void;
  },
): () => void {
  const source = new EventSource(address);
  for (const type of types) {
    source.addEventListener(type, (message: MessageEvent<string>) => {
      listener.arrived(JSON.parse(message.data) as Event);
    });
  }
  source.addEventListener('open', () => listener.resumed());
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) listener.refused();
    else listener.interrupted();
  });
  return () => source.close();
}
