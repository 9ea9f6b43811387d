import type { CancellationReason } from '#vocabulary/cancellation';
import { Refusal } from '#vocabulary/refusal';

/** What somebody is told whose answer we end ourselves. */
export function sentAway(reason: Exclude<CancellationReason, 'caller-left'>): Refusal {
  switch (reason) {
    case 'access-withdrawn':
      return new Refusal(
        'access_withdrawn',
        'The answer was ended because the right to use the service was withdrawn.',
      );
    case 'shutdown':
      return new Refusal(
        'shutting_down',
        'The answer was ended because the service is restarting. Send the request again.',
        { retryAfterSeconds: 5 },
      );
    case 'stopped':
      return new Refusal('access_withdrawn', 'The answer was stopped.');
  }
}

export function engineBrokeOff(): Refusal {
  return new Refusal(
    'engine_failed',
    'The engine broke off in the middle of the answer. What came before is genuine but incomplete. Send the request again.',
  );
}
