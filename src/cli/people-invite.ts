import type { LetterFate } from '#vocabulary/mail';
import type { PersonDesks } from '#vocabulary/person-desks';
import type { ProjectAsker, ProjectDesk } from '#vocabulary/project-desk';
import { WrongUse } from './command.ts';
import type { Books } from './open-books.ts';
import { formatCsv } from './table.ts';

export interface InviteWishes {
  readonly emails: readonly string[];
  readonly projects: readonly string[];
  readonly isAdministrator: boolean;
  /** One link without an address. */
  readonly isForAnybody: boolean;
  readonly days: string;
}

/** One link for each address, as CSV on standard output; who has an account joins the projects at once. */
export async function invitePeople(
  { storage, actor, settings }: Books,
  { desks, desk, asker }: { desks: PersonDesks; desk: ProjectDesk; asker: ProjectAsker },
  { emails, projects, isAdministrator, isForAnybody, days }: InviteWishes,
): Promise<number> {
  if (!settings.signIn.hasLocalAccounts)
    throw new WrongUse(
      'Invitations make local accounts, and the settings allow none (signIn.localAccounts).',
    );
  if (emails.length > 0 === isForAnybody)
    throw new WrongUse('Give the e-mail addresses of those who are invited, or --anybody.');
  const wrong = emails.find((email) => !/^[^\s@]+@[^\s@]+$/.test(email));
  if (wrong !== undefined) throw new WrongUse(`"${wrong}" is not an e-mail address. Nobody was invited.`);
  if (!/^\d{1,2}$/.test(days) || Number(days) < 1 || Number(days) > 90)
    throw new WrongUse('--days takes a whole number from 1 to 90.');
  for (const id of projects) desk.find(asker, id);
  const wishes = {
    role: isAdministrator ? 'administrator' : 'person',
    invitedBy: '',
    invitedByName: '',
    projects,
    lifetimeMs: Number(days) * 86_400_000,
    by: actor,
  } as const;
  const links: [string, string][] = [];
  if (isForAnybody) links.push(['', (await desks.invitations.create({ ...wishes, email: undefined })).url]);
  const letters: Promise<readonly [string, LetterFate]>[] = [];
  for (const email of new Set(emails)) {
    const person = await storage.people.findByEmail(email);
    if (person !== undefined) {
      await desk.joinProjects(person.id, projects, actor);
      process.stderr.write(`${email} has an account already${projects.length > 0 ? ' and joined' : ''}.\n`);
      continue;
    }
    const { url, letter } = await desks.invitations.create({ ...wishes, email });
    links.push([email, url]);
    if (letter !== undefined) letters.push(letter.then((fate) => [email, fate] as const));
  }
  if (links.length > 0) process.stdout.write(formatCsv([['email', 'link'], ...links]));
  const unsent = (await Promise.all(letters)).filter(([, fate]) => fate === 'failed');
  for (const [email] of unsent) process.stderr.write(`The letter to ${email} could not be sent.\n`);
  return unsent.length === 0 ? 0 : 1;
}
