import { Refusal } from '#vocabulary/refusal';

export function engineBrokeOff(): Refusal {
  return new Refusal(
    'engine_failed',
    'The engine broke off in the middle of the answer. What came before is genuine but incomplete. Send the request again.',
  );
}

export function engineGaveNothing(): Refusal {
  return new Refusal(
    'engine_failed',
    'The engine failed before its answer was complete. Send the request again in a moment.',
    { retryAfterSeconds: 2 },
  );
}
