import { get } from 'node:http';
import type { SupervisionPolicy } from './supervision-policy.ts';

/**
 * Asks `/health` at regular intervals. A process may live on with a stuck native call; after several silent
 * intervals in a row `onSilent` is called, once. Any answer, also a bad one, is a sign of life.
 */
export function watchLiveness(
  socketPath: string,
  policy: Pick<SupervisionPolicy, 'livenessCheckMs' | 'livenessStrikes'>,
  onSilent: () => void,
): () => void {
  let strikes = 0;
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    const request = get({ socketPath, path: '/health', agent: false, timeout: policy.livenessCheckMs });
    const settle = (isAlive: boolean): void => {
      if (!isAsking) return;
      isAsking = false;
      strikes = isAlive ? 0 : strikes + 1;
      if (strikes < policy.livenessStrikes) return;
      clearInterval(timer);
      onSilent();
    };
    request.on('response', (response) => {
      response.resume();
      settle(true);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => settle(false));
    request.on('close', () => settle(false));
  }, policy.livenessCheckMs);
  return () => clearInterval(timer);
}
