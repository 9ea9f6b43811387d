import type { Admission } from '#admission';
import type { Doors } from '#doors';
import type { Visit } from '#vocabulary/inference';

/** Questions about models need no engine, so a dead one cannot hold up the list. False: the visit asks for more. */
export function describeModels(
  rooms: { readonly doors: Doors; readonly admission: Admission },
  visit: Visit,
): boolean {
  if (visit.asked !== 'models' && !visit.asked.startsWith('models/')) return false;
  const description = rooms.doors.describeModels(visit, rooms.admission.identify(visit));
  const body = Buffer.from(JSON.stringify(description));
  const { reply, method } = visit.exchange;
  reply.begin(200, ['content-type', 'application/json', 'content-length', String(body.length)]);
  reply.end(method === 'HEAD' ? undefined : body);
  return true;
}
