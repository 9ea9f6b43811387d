import type { ProjectDirectory } from '#vocabulary/project';
import { Refusal } from '#vocabulary/refusal';
import { everyone } from '#vocabulary/sharing';
import type { SpaceOfAnswer, SpaceStore } from '#vocabulary/spaces';
import { noSuchSpace } from './space-keeping.ts';

/** Where a question is asked: that of its chat, or the one in which a new chat begins. */
export interface AskedPlace {
  readonly personId: string;
  readonly chatId: string | null;
  readonly projectId?: string | undefined;
}

export type FindSpaceOfAnswer = (place: AskedPlace) => Promise<SpaceOfAnswer | undefined>;

/** What the space adds to a question; refuses whoever is not a member any more, before anything is written. */
export function createSpaceOfAnswer(parts: {
  readonly spaces: SpaceStore;
  readonly projects: Pick<ProjectDirectory, 'isMember'>;
}): FindSpaceOfAnswer {
  const { spaces, projects } = parts;
  return async ({ personId, chatId, projectId: wanted }) => {
    const projectId = chatId === null ? wanted : await projectOf(chatId);
    if (projectId === undefined || projectId === everyone) return undefined;
    if (!projects.isMember(projectId, personId)) throw chatId === null ? noSuchSpace() : left();
    const [instructions, documents] = await Promise.all([
      spaces.readInstructions(projectId),
      spaces.listDocuments(projectId),
    ]);
    return { projectId, instructions, documents };
  };

  async function projectOf(chatId: string): Promise<string | undefined> {
    const place = await spaces.findPlace(chatId);
    return place?.isInside === true ? place.projectId : undefined;
  }
}

function left(): Refusal {
  return new Refusal(
    'permission_denied',
    'You are not a member of the project of this chat any more. Take the chat out of the project to go on.',
  );
}

/** The space speaks first, then the person. */
export function withInstructions(space: SpaceOfAnswer | undefined, systemPrompt: string): string {
  return [space?.instructions.text ?? '', systemPrompt].filter((text) => text.trim() !== '').join('\n\n');
}
