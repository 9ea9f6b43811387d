import type { Actor } from '#vocabulary/audit';
import type { Device, Session } from '#vocabulary/person-desks';

/** Who is calling, for the audit trail. */
export function actorOf({ person }: Session, device: Device): Actor {
  return { kind: 'person', personId: person.id, device };
}
