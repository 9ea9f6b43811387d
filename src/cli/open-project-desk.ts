import { systemClock } from '#vocabulary/clock';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { ProjectDirectory } from '#vocabulary/project';
import type { ProjectAsker, ProjectDesk } from '#vocabulary/project-desk';
import type { Person } from '#vocabulary/stores';
import type { Books } from './open-books.ts';
import { silentLogger } from '#vocabulary/logger';

export interface ProjectBooks {
  readonly books: Books;
  readonly desk: ProjectDesk;
  readonly directory: ProjectDirectory;
  readonly asker: ProjectAsker;
  /** Brings what the books say was spent into the standings of the desk. */
  readSpending(): Promise<void>;
}

/**
 * Projects and limits as the settings and the database say them. What is used of budgets stands in the books; what is
 * used of a minute, and how many run at once, only the server knows.
 */
export async function openProjectDesk(books: Books): Promise<ProjectBooks> {
  const { createLimitKeeper, createProjectDesk, createProjectDirectory, loadSpending } =
    await import('#sharing');
  const { settings, storage, audit, actor } = books;
  const directory = createProjectDirectory({
    store: storage.projects,
    configured: settings.projects,
    clock: systemClock,
    logger: silentLogger,
    changed: () => {},
  });
  await directory.read();
  const keeper = createLimitKeeper(systemClock);
  const desk = createProjectDesk({
    store: storage.projects,
    directory,
    people: storage.people,
    keys: storage.keys,
    catalogue: () => settings.catalogue,
    standing: (share, modelId) => keeper.standing(directory.limitsFor(share, modelId)),
    audit,
    clock: systemClock,
  });
  return {
    books,
    desk,
    directory,
    asker: { by: actor, isAdministrator: true },
    async readSpending() {
      const limitedModels = new Set(directory.exceptions().flatMap(({ modelId }) => modelId ?? []));
      const { begin } = keeper;
      await loadSpending({
        usage: storage.usage,
        limitedModels,
        begin,
        clock: systemClock,
        logger: silentLogger,
      });
    },
  };
}

export async function findPerson({ storage }: Books, email: string): Promise<Person> {
  const person = await storage.people.findByEmail(email);
  if (person !== undefined) return person;
  throw new OperatorProblem(
    `There is no account with the e-mail address ${email}. See: gatehouse people list`,
  );
}
