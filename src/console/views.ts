import type { AppearanceView } from '#contract/appearance';
import { countedOrder } from '#contract/counted-order';
import type { Appearance } from '#vocabulary/appearance';
import type { Chat, ChatSummary } from '#vocabulary/conversation';
import type { GenerationDesk } from '#vocabulary/conversations';
import type { ProjectOfKey } from '#vocabulary/project-desk';
import type { KeyDescription } from '#vocabulary/stores';

/** Chats, keys and people as the page sees them. Nothing goes out that is not named here. */

export function viewSummary(chat: ChatSummary, generations: Pick<GenerationDesk, 'runningIn'>) {
  const { id, title, titleSource, model, isPinned, folderId, createdAt, updatedAt } = chat;
  return {
    id,
    title,
    titleSource,
    model,
    isPinned,
    isArchived: chat.archivedAt !== null,
    folderId,
    shareId: chat.share?.id ?? null,
    generationId: generations.runningIn(id),
    createdAt,
    updatedAt,
  };
}

export function viewChat(chat: Chat, generations: Pick<GenerationDesk, 'runningIn'>) {
  const { effort, systemPrompt, parameters, activeLeafId } = chat;
  return { ...viewSummary(chat, generations), effort, systemPrompt, parameters, activeLeafId };
}

export function viewKey(key: KeyDescription, project: ProjectOfKey, now: number) {
  const isExpired = key.expiresAt !== undefined && key.expiresAt <= now;
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
    lastUsedFrom: key.lastUsedAddress ?? null,
    models: key.models,
    networks: key.networks,
    projectId: key.projectId,
    projectName: project.name,
    projectState: project.state,
    isBackground: key.lane === 'background',
    state:
      key.revokedAt !== undefined
        ? ('revoked' as const)
        : isExpired
          ? ('expired' as const)
          : ('active' as const),
    isReplaced: key.successorId !== undefined,
  };
}

export function viewAppearance({ logo, accent, ...texts }: Appearance): AppearanceView {
  return {
    ...texts,
    accent: accent ?? null,
    logoUrl: logo === undefined ? null : `/logo?version=${logo.version}`,
  };
}

const inOrder = countedOrder();

export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return inOrder(one.name, other.name);
}
