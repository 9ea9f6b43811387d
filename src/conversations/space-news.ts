import type { Clock } from '#vocabulary/clock';
import type { ConversationEvent } from '#vocabulary/conversations';
import type { Logger } from '#vocabulary/logger';
import type { Peers } from '#vocabulary/peers';
import type { Membership } from '#vocabulary/project';
import type { SpaceStore } from '#vocabulary/spaces';
import type { AnswerRegistry } from './answer-registry.ts';
import type { PersonEvents } from './person-events.ts';
import { shareChanges } from './shared-changes.ts';

/** Tells the members of a space, in the windows that are open at any gateway, that there is something to read anew. */
export interface SpaceNews {
  changed(projectId: string): void;
  /** Something happened to a chat of this person; when others see it, they are told. Never throws. */
  heard(event: ConversationEvent, personId: string): void;
}

export interface MembershipSource {
  memberships(): readonly Membership[];
  members(projectId: string): readonly Membership[];
  onChange(listener: () => void): void;
}

export function createSpaceNews(parts: {
  readonly spaces: Pick<SpaceStore, 'findPlace'>;
  readonly projects: MembershipSource;
  readonly events: PersonEvents;
  readonly registry: Pick<AnswerRegistry, 'endWhere'>;
  /** The other gateways, where there can be any. */
  readonly peers: Peers | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}): SpaceNews {
  const { spaces, projects, events, logger } = parts;
  const { peers } = parts;
  const tellOthers = peers && shareChanges({ ...parts, peers, topic: 'spaces/1', announce });
  let known = pairs();
  projects.onChange(() => {
    const now = pairs();
    for (const [name, { personId, projectId }] of known) if (!now.has(name)) leave(personId, projectId);
    known = now;
  });

  return {
    changed,
    heard(event, personId) {
      if (event.type === 'chatsChanged')
        for (const member of known.values()) if (member.personId === personId) changed(member.projectId);
      const chatId = chatOf(event);
      // Where nobody is a member of anything, nobody else sees it.
      if (chatId === null || known.size === 0) return;
      spaces
        .findPlace(chatId)
        .then((place) => {
          if (place?.sharedAt !== undefined) changed(place.projectId);
        })
        .catch((error: unknown) => logger.warn({ error }, 'members could not be told of a shared chat'));
    },
  };

  function changed(projectId: string): void {
    announce(projectId);
    tellOthers?.(projectId);
    if (peers !== undefined && peers.count > 0) peers.hurry();
  }

  function announce(projectId: string): void {
    const ids = new Set(projects.members(projectId).map(({ personId }) => personId));
    for (const personId of ids) events.announce(personId, { type: 'spaceChanged', projectId });
  }

  /** At once: windows forget what they show, and what is being written on the budget of the project ends. */
  function leave(personId: string, projectId: string): void {
    events.announce(personId, { type: 'spaceLeft', projectId });
    parts.registry.endWhere(
      (answer) => answer.personId === personId && answer.projectId === projectId,
      'access-withdrawn',
    );
  }

  function pairs(): ReadonlyMap<string, Membership> {
    return new Map(
      projects.memberships().map((member) => [`${member.projectId} ${member.personId}`, member]),
    );
  }
}

/** What is a matter of a chat's content; null for everything else. */
function chatOf(event: ConversationEvent): string | null {
  switch (event.type) {
    case 'chatChanged':
      return event.chat.id;
    case 'chatRemoved':
    case 'messagesAdded':
      return event.chatId;
    case 'generationStarted':
    case 'generationEnded':
      return event.generation.chatId;
    case 'chatsChanged':
    case 'foldersChanged':
    case 'spaceChanged':
    case 'spaceLeft':
    case 'answerOpened':
      return null;
  }
}
