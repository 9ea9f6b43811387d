import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { systemClock } from '#vocabulary/clock';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { StoredDocument } from '#vocabulary/documents';
import { WrongUse } from './command.ts';
import { bytesInWords } from './models/in-words.ts';
import type { ProjectBooks } from './open-project-desk.ts';
import { silentLogger } from '#vocabulary/logger';
import { type Column, formatTable } from './table.ts';

/** What the leads of a project do with its space on the web. */
export interface SpaceTask extends ProjectBooks {
  readonly values: {
    readonly text?: string | undefined;
    readonly file?: string | undefined;
    readonly json?: boolean | undefined;
  };
  readonly id: string;
  /** A file, or the id of a document or of a chat. */
  readonly what: string;
}

export async function instructSpace(task: SpaceTask): Promise<void> {
  const { asker, id, values } = task;
  const { spaces } = await openSpaces(task);
  if (values.text === undefined && values.file === undefined) {
    print(`${(await spaces.read(asker, id)).instructions.text}\n`);
    return;
  }
  const instructions = values.text ?? readText(values.file ?? '');
  if (instructions.length > 100_000) throw new WrongUse('Instructions have at most 100000 characters.');
  await spaces.setInstructions(asker, id, instructions);
  tell(`The space of ${id} has ${instructions === '' ? 'no' : 'new'} instructions.`);
}

export async function listSpaceDocuments(task: SpaceTask): Promise<void> {
  const { spaces } = await openSpaces(task);
  const { documents } = await spaces.read(task.asker, task.id);
  const shown = documents.map(({ personId: _person, ...document }) => document);
  print(task.values.json === true ? `${JSON.stringify(shown, null, 2)}\n` : formatTable(columns, shown));
}

const columns: readonly Column<Omit<StoredDocument, 'personId'>>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'PAGES', align: 'right', cell: ({ pageCount }) => String(pageCount) },
  { title: 'SIZE', align: 'right', cell: ({ bytes }) => bytesInWords(bytes) },
];

/** Only text: other files are read in the browser of whoever brings them, never here. */
export async function addSpaceDocument(task: SpaceTask): Promise<void> {
  const { asker, id } = task;
  const text = readText(task.what);
  if (text.includes('\0'))
    throw new OperatorProblem(`${task.what} is no text. Bring it on the web, where the browser reads it.`);
  const { spaces, documents } = await openSpaces(task);
  spaces.requireKeeper(asker, id);
  const keeper = await findKeeper(task);
  const original = Buffer.from(text);
  const name = basename(task.what).slice(0, 255);
  const kind = /\.(csv|tsv)$/i.test(name) ? 'table' : 'text';
  const begun = await documents.begin(keeper, {
    name,
    kind,
    mediaType: 'text/plain',
    bytes: original.length,
    projectId: id,
  });
  const { documentPartBytes } = await import('#contract/document-limits');
  for (let part = 0; part * documentPartBytes < original.length; part++)
    await documents.addPart(
      keeper,
      begun.id,
      part,
      original.subarray(part * documentPartBytes, (part + 1) * documentPartBytes),
    );
  await documents.addPages(keeper, begun.id, [{ number: 1, text }]);
  const document = await documents.complete(keeper, begun.id, { pageCount: 1 });
  await spaces.documentAdded(asker, document);
  tell(`${name} is in the space of ${id} (${document.id}).`);
}

export async function removeSpaceDocument(task: SpaceTask): Promise<void> {
  const { spaces } = await openSpaces(task);
  await spaces.removeDocument(task.asker, task.id, task.what);
  tell(`The document is not in the space of ${task.id} any more.`);
}

export async function withdrawSpaceChat(task: SpaceTask): Promise<void> {
  const { spaces } = await openSpaces(task);
  await spaces.withdraw(task.asker, task.id, task.what);
  tell(`The members of ${task.id} do not see this chat any more. Its owner keeps it.`);
}

/** A document has somebody who brought it: a lead of the project, or an administrator. */
async function findKeeper({ desk, asker, id, books }: SpaceTask): Promise<string> {
  const lead = (await desk.members(asker, id)).find(({ role }) => role === 'lead');
  if (lead !== undefined) return lead.personId;
  const people = await books.storage.people.list({ limit: 1000 });
  const administrator = people.find(({ role }) => role === 'administrator');
  if (administrator !== undefined) return administrator.id;
  throw new OperatorProblem(
    `Nobody looks after ${id}. Add a lead: gatehouse projects add ${id} EMAIL --lead`,
  );
}

async function openSpaces({ books, desk, directory }: SpaceTask) {
  const [{ createSpaceKeeping }, { createDocuments }] = await Promise.all([
    import('#conversations'),
    import('#documents'),
  ]);
  const { settings, storage, audit } = books;
  const common = {
    spaces: storage.spaces,
    storagePerProjectBytes: settings.limits.storagePerProjectBytes,
    clock: systemClock,
  };
  return {
    spaces: createSpaceKeeping({
      ...common,
      projects: directory,
      projectDesk: desk,
      audit,
      // Windows of a running server look again by themselves.
      news: { changed() {} },
    }),
    documents: createDocuments({
      ...common,
      store: storage.documents,
      isMember: directory.isMember,
      storagePerPersonBytes: settings.limits.storagePerPersonBytes,
      storedBytesOf: (personId) => storage.documents.countStoredBytes(personId),
      maxDocumentBytes: settings.limits.maxDocumentBytes,
      maxTotalBytes: settings.limits.documentsTotalBytes,
      logger: silentLogger,
    }),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new OperatorProblem(`${file} cannot be read.`, { cause });
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
