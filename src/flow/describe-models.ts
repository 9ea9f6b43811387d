import type { Admission } from '#admission';
import type { Doors } from '#doors';
import type { IncomingRequest } from '#vocabulary/inference';

/** Questions about models need no engine, so a dead one cannot hold up the list. False: the request asks for more. */
export function describeModels(
  rooms: { readonly doors: Doors; readonly admission: Admission },
  incoming: IncomingRequest,
): boolean {
  if (incoming.asked !== 'models' && !incoming.asked.startsWith('models/')) return false;
  const description = rooms.doors.describeModels(incoming, rooms.admission.identify(incoming));
  const body = Buffer.from(JSON.stringify(description));
  const { reply, method } = incoming.exchange;
  reply.begin(200, ['content-type', 'application/json', 'content-length', String(body.length)]);
  reply.end(method === 'HEAD' ? undefined : body);
  return true;
}
