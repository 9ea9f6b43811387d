import type { receiptRoutes } from '#contract/receipts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createReceiptHandlers({ readReceipt }: ConsoleParts): HandlersOf<typeof receiptRoutes> {
  return {
    'GET /console/receipts/:requestId': ({ session, parameters }) =>
      readReceipt(session.person.id, parameters.requestId),
  };
}
