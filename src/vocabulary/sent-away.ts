import type { CancellationReason } from './cancellation.ts';
import { Refusal } from './refusal.ts';

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
