import { CallFailed } from '../client/call-failed.ts';

/**
 * Asks again when no answer came: the question may have arrived, and only the word of its arrival was lost. For
 * calls with a request key, which the server takes once however often they come.
 */
export async function insist<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (const waitMs of waitsMs) {
    try {
      return await call();
    } catch (failure) {
      if (!(failure instanceof CallFailed && failure.code === 'unreachable')) throw failure;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return await call();
}

const waitsMs = [500, 2000];
