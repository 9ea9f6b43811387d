import { once } from 'node:events';
import { systemClock } from '#vocabulary/clock';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { PersonDesks } from '#vocabulary/person-desks';
import type { Person } from '#vocabulary/stores';
import { WrongUse } from './command.ts';
import type { ProjectBooks } from './open-project-desk.ts';

/** What belongs to somebody, on standard output, as the web gives it before an account is removed. They are told. */
export async function exportPerson(
  { books, desk }: ProjectBooks,
  desks: PersonDesks,
  person: Person,
  part: string | undefined,
): Promise<number> {
  if (part !== 'account' && part !== 'chats') throw new WrongUse('Say which part: account or chats.');
  if (part === 'chats' && person.state !== 'disabled')
    throw new OperatorProblem(
      `${person.email} is ${person.state}. Chats are given out only of a disabled account: gatehouse people disable`,
    );
  const { storage, accounts, audit, actor } = books;
  const [{ writeAccount, writeArchive }, { createChatArchive }] = await Promise.all([
    import('#console'),
    import('#conversations'),
  ]);
  await audit.note({ kind: 'person-exported', by: actor, personId: person.id, detail: { part } });
  if (part === 'account') {
    const { keyDesk } = accounts;
    const account = { ...storage, keyDesk, projectDesk: desk, audit, desks, clock: systemClock };
    await print(await writeAccount(account, person));
    return 0;
  }
  const archive = createChatArchive({
    store: storage.conversations,
    folders: storage.folders,
    // Whoever is disabled has no answer that is being written.
    newest: (message) => message,
  });
  for await (const piece of writeArchive(archive.exportAll(person.id), Date.now())) await print(piece);
  return 0;
}

/** Waits for a slow reader, so that years of chats are never in memory. */
async function print(piece: string): Promise<void> {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}
