import type { CancellationReason } from '#vocabulary/cancellation';
import { Refusal } from '#vocabulary/refusal';

/** What people are told who do not get a turn. */
export interface LineRefusals {
  full(waiting: number, seconds: number): Refusal;
  tooManyOfOne(waiting: number, seconds: number): Refusal;
  tooLong(modelId: string, waitedMs: number, seconds: number): Refusal;
  tooWide(modelId: string, sequences: number, capacity: number): Refusal;
  unavailable(modelId: string): Refusal;
  cancelled(reason: CancellationReason): Refusal;
}

export function createLineRefusals(recoverySeconds: (modelId: string) => number): LineRefusals {
  return {
    full: (waiting, retryAfterSeconds) =>
      new Refusal(
        'queue_full',
        `The service is busy: ${waiting} requests are waiting, and most of them are not served before yours. Try again after the time in Retry-After.`,
        { retryAfterSeconds },
      ),
    tooManyOfOne: (waiting, retryAfterSeconds) =>
      new Refusal(
        'queue_full',
        `${waiting} of your requests are waiting already. Wait for some of them, or try again after the time in Retry-After.`,
        { retryAfterSeconds },
      ),
    tooLong: (modelId, waitedMs, retryAfterSeconds) =>
      new Refusal(
        'queue_full',
        `No engine became free for \`${modelId}\` within ${Math.round(waitedMs / 1000)} seconds. Try again after the time in Retry-After.`,
        { retryAfterSeconds },
      ),
    tooWide: (modelId, sequences, capacity) =>
      new Refusal(
        'invalid_parameter',
        `This request asks for ${sequences} answers at once ("n" times the number of prompts); \`${modelId}\` writes at most ${capacity} together. Send several smaller requests.`,
        { param: 'n' },
      ),
    unavailable: (modelId) =>
      new Refusal(
        'engine_unavailable',
        `The engine of \`${modelId}\` is not answering at the moment. Try again after the time in Retry-After.`,
        { retryAfterSeconds: recoverySeconds(modelId) },
      ),
    cancelled(reason) {
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
    },
  };
}

function shuttingDown(): Refusal {
  return new Refusal('shutting_down', 'The service is restarting. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    headers: { connection: 'close' },
  });
}
