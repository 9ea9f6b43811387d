import type { Actor } from '#vocabulary/audit';
import type { Device, Session } from '#vocabulary/person-desks';
import type { ProjectAsker } from '#vocabulary/project-desk';

/** Who is calling, for the audit trail. */
export function actorOf({ person }: Session, device: Device): Actor {
  return { kind: 'person', personId: person.id, device };
}

/** The same for what concerns projects, where administrators may do everything. */
export function askerOf(session: Session, device: Device): ProjectAsker {
  return { by: actorOf(session, device), isAdministrator: session.person.role === 'administrator' };
}
