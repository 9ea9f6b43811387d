import type { Admission } from '#admission';
import type { Doors } from '#doors';
import type { IncomingRequest } from '#vocabulary/inference';
import { answerWithJson } from './answer-with-json.ts';

/** Questions about models need no engine, so a dead one cannot hold up the list. False: the request asks for more. */
export function describeModels(
  rooms: { readonly doors: Doors; readonly admission: Admission },
  incoming: IncomingRequest,
): boolean {
  if (incoming.asked !== 'models' && !incoming.asked.startsWith('models/')) return false;
  const description = rooms.doors.describeModels(incoming, rooms.admission.identify(incoming));
  if (description === undefined) return false;
  answerWithJson(incoming.exchange, description);
  return true;
}
