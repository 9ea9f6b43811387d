import type { KeyRecord } from '#contract/person-administration';
import type { OwnedKey } from '#vocabulary/key-search';
import type { ProjectAsker } from '#vocabulary/project-desk';
import type { KeyDescription } from '#vocabulary/stores';
import type { ConsoleParts } from './console-parts.ts';
import { viewKey } from './views.ts';

/** Everybody's keys as administrators see them: without secrets, with owners and limits. */
export function createKeyCabinet({ projectDesk, clock }: ConsoleParts) {
  return { view, viewRecord, isUsable };

  function view(key: KeyDescription) {
    return viewKey(key, projectDesk.describe(key.projectId, key.personId), clock.wallMs());
  }

  function viewRecord(key: OwnedKey, asker: ProjectAsker): KeyRecord {
    const { configured, exceptions } = projectDesk.limitsOf(asker, 'key', key.id);
    const closer = exceptions.find(({ modelId }) => modelId === undefined)?.limits;
    const { id, name, email, state } = key.owner;
    return {
      ...view(key),
      owner: { id, name, email, isActive: state === 'active' },
      limits: { ...configured, ...closer },
    };
  }

  function isUsable({ revokedAt, expiresAt = Infinity }: KeyDescription): boolean {
    return revokedAt === undefined && expiresAt > clock.wallMs();
  }
}
