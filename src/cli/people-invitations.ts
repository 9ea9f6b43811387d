import type { InvitationRecord } from '#vocabulary/account-stores';
import { invitationState, letterOfInvitation } from '#vocabulary/invitation-state';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { PersonDesks } from '#vocabulary/person-desks';
import { WrongUse } from './command.ts';
import type { Books } from './open-books.ts';
import { type Column, formatTable } from './table.ts';

/** Who was invited and what became of it. The links themselves are known to nobody here. */
export async function listInvitations(desks: PersonDesks, isJson: boolean): Promise<number> {
  const now = Date.now();
  const shown = (await desks.invitations.list()).map((invitation) => describe(invitation, now));
  process.stdout.write(isJson ? `${JSON.stringify(shown, null, 2)}\n` : formatTable(columns, shown));
  return 0;
}

export async function withdrawInvitation(
  { actor }: Books,
  desks: PersonDesks,
  invitationId: string | undefined,
): Promise<number> {
  if (invitationId === undefined)
    throw new WrongUse('Say which invitation, by its id: gatehouse people invitations');
  if (!(await desks.invitations.revoke(invitationId, actor)))
    throw new OperatorProblem('There is no such open invitation. See: gatehouse people invitations');
  process.stderr.write('The link of this invitation does not work any more.\n');
  return 0;
}

type Shown = ReturnType<typeof describe>;

function describe(invitation: InvitationRecord, now: number) {
  const { id, email, role, projects, createdAt, expiresAt } = invitation;
  const state = invitationState(invitation, now);
  const letter = letterOfInvitation(invitation, now);
  return { id, email: email ?? null, role, projects, createdAt, expiresAt, state, letter };
}

const columns: readonly Column<Shown>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'E-MAIL', cell: ({ email }) => email ?? 'anybody' },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'PROJECTS', cell: ({ projects }) => projects.join(',') || '-' },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'UNTIL', cell: ({ expiresAt }) => new Date(expiresAt).toISOString() },
  { title: 'LETTER', cell: ({ letter }) => letter ?? '-' },
];
