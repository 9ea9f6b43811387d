import type { CancellationReason } from '#vocabulary/cancellation';
import { Refusal } from '#vocabulary/refusal';

/** What somebody is told whose wait ended before their turn came. */
export function sentFromLine(reason: CancellationReason): Refusal {
  switch (reason) {
    case 'access-withdrawn':
      return new Refusal(
        'access_withdrawn',
        'The right to use the service was withdrawn while the request waited for its turn.',
      );
    case 'shutdown':
      return shuttingDown();
    default:
      return new Refusal('request_timeout', 'The caller left before their turn came.');
  }
}

export function shuttingDown(): Refusal {
  return new Refusal('shutting_down', 'The service is restarting. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    headers: { connection: 'close' },
  });
}
