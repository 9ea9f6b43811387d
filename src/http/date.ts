import type { Clock } from '#vocabulary/clock';

/** Now, as the head of an answer says it: written anew once a second at most. */
export function createDate(clock: Pick<Clock, 'wallMs'>): () => string {
  let second = 0;
  let text = '';
  return () => {
    const now = Math.floor(clock.wallMs() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}
