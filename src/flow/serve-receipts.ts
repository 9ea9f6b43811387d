import type { Admission } from '#admission';
import type { Exchange } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { answerWithJson } from './answer-with-json.ts';

export interface ReceiptRooms {
  readonly admission: Admission;
  /** The receipt of an answer of this person, signed. Refuses what there is none of. */
  readonly readReceipt: (personId: string, requestId: string) => Promise<object>;
}

/** `GET receipts/<request id>` at the proxy door, for whoever owns the key. Undefined: the request asks for something else. */
export function serveReceipts(rooms: ReceiptRooms, incoming: IncomingRequest): Promise<void> | undefined {
  const { door, asked, exchange } = incoming;
  if (door !== 'proxy' || !asked.startsWith('receipts/')) return undefined;
  return answer(rooms, incoming, exchange, asked.slice('receipts/'.length));
}

async function answer(
  { admission, readReceipt }: ReceiptRooms,
  incoming: IncomingRequest,
  exchange: Exchange,
  requestId: string,
): Promise<void> {
  const { caller } = admission.identify(incoming);
  if (caller.kind !== 'key') throw new Error('Whoever comes by the proxy door has a key.');
  if (exchange.method !== 'GET')
    throw new Refusal('method_not_allowed', `Receipts answer GET, not ${exchange.method}.`, {
      headers: { allow: 'GET' },
    });
  answerWithJson(exchange, await readReceipt(caller.personId, requestId), 2);
}
