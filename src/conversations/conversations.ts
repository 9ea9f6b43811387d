import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PreferenceStore } from '#vocabulary/account-stores';
import type { KeyRing } from '#vocabulary/caller';
import type { Catalogue } from '#vocabulary/catalogue';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { Conversations } from '#vocabulary/conversations';
import type { DocumentStore, MeaningSearch } from '#vocabulary/documents';
import type { FolderStore } from '#vocabulary/folders';
import type { Logger } from '#vocabulary/logger';
import type { AuditTrail } from '#vocabulary/audit';
import type { ProjectDirectory } from '#vocabulary/project';
import type { ProjectDesk } from '#vocabulary/project-desk';
import type { SpaceStore } from '#vocabulary/spaces';
import type { PeerCalls, Peers, PeerService } from '#vocabulary/peers';
import { createAnswerRegistry } from './answer-registry.ts';
import { createAnswersElsewhere } from './answers-elsewhere.ts';
import { createArchiveDesk } from './archive-desk.ts';
import { createChatDesk } from './chat-desk.ts';
import { createChatNews } from './chat-news.ts';
import { createChatTitles } from './chat-titles.ts';
import { createFolderDesk } from './folder-desk.ts';
import { createGenerationDesk } from './generation-desk.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createPeerAnswers } from './peer-answers.ts';
import { createPersonEvents } from './person-events.ts';
import type { ToolBench, ToolConsentStore } from '#vocabulary/tools';
import type { CountTokens } from '#vocabulary/token-count';
import { createAnswerPreparer } from './prepare-answer.ts';
import { createStorageQuota } from './storage-quota.ts';
import { createSharingDesk } from './sharing-desk.ts';
import { createTokenCounts } from './token-counts.ts';
import { createSpaceChats } from './space-chats.ts';
import { createSpaceKeeping } from './space-keeping.ts';
import { createSpaceNews, type MembershipSource } from './space-news.ts';
import { createSpaceOfAnswer } from './space-of-answer.ts';
import { createToolRounds } from './tool-rounds.ts';

export { createChatArchive } from './chat-archive.ts';
export { createSpaceKeeping } from './space-keeping.ts';

export interface ConversationsParts {
  readonly store: ConversationStore;
  readonly folders: FolderStore;
  readonly documents: DocumentStore;
  /** Undefined: documents are searched by their words alone. */
  readonly meaning?: MeaningSearch | undefined;
  readonly spaces: SpaceStore;
  /** Who is in which project, and who looks after it. */
  readonly projects: ProjectDirectory & MembershipSource;
  readonly projectDesk: Pick<ProjectDesk, 'find' | 'requireLead'>;
  readonly audit: Pick<AuditTrail, 'note'>;
  /** What the documents of one project may take. */
  readonly storagePerProjectBytes: number;
  readonly preferences: PreferenceStore;
  readonly toolConsents: ToolConsentStore;
  readonly tools: ToolBench;
  readonly inference: ChatInference;
  readonly countTokens: CountTokens;
  readonly catalogue: () => Catalogue;
  /** Tells whose running answers must end. */
  readonly keyRing: Pick<KeyRing, 'onWithdrawn'>;
  /** A chat in which nothing was written for so long is deleted. Undefined: never. */
  readonly keepChatsMs: number | undefined;
  /** Does what one gateway at a time should do. Without it there is no other. */
  readonly once?: (duty: string, work: () => Promise<void>) => Promise<void>;
  /** The other gateways, where there can be any. */
  readonly others?: { readonly peers: Peers; readonly calls: PeerCalls } | undefined;
  readonly storagePerPersonBytes: number;
  /** What the chats and documents of a person take. */
  readonly storedBytesOf: (personId: string) => Promise<number>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Chats, and the answers that are being written in them: these belong to the server, not to a window. */
export function createConversations(
  parts: ConversationsParts,
): Conversations & { readonly answersForPeers: PeerService } {
  const { store, inference, catalogue, clock, logger } = parts;
  const events = createPersonEvents((event, personId) => {
    news.heard(event, personId);
    chatNews?.heard(event, personId);
  });
  const registry = createAnswerRegistry({ store, events, clock, logger });
  const elsewhere = parts.others && createAnswersElsewhere({ ...parts.others, registry, store, events });
  const chatNews = parts.others && createChatNews({ ...parts, ...parts.others, events });
  const news = createSpaceNews({ ...parts, peers: parts.others?.peers, events, registry });
  const quota = createStorageQuota(parts.storedBytesOf, parts.storagePerPersonBytes);
  const folders = createFolderDesk({ store: parts.folders, events, clock });
  const chats = createChatDesk({ store, folders, quota, registry, events, clock });
  const archive = createArchiveDesk({ store, folders, quota, newest: registry.newest, events, clock });
  const titles = createChatTitles({
    store,
    inference,
    catalogue,
    wantsTitles: async (personId) => (await parts.preferences.read(personId))['automaticTitles'] !== false,
    events,
    clock,
    logger,
  });
  const rounds = createToolRounds({
    store,
    consents: parts.toolConsents,
    tools: parts.tools,
    registry,
    quota,
    events,
    clock,
    logger,
  });
  const preparer = createAnswerPreparer({
    store,
    documents: parts.documents,
    meaning: parts.meaning,
    counts: createTokenCounts({ ask: parts.countTokens, catalogue, clock }),
    tools: parts.tools,
    inference,
    whenFull: async (personId) =>
      (await parts.preferences.read(personId))['whenFull'] === 'summarise' ? 'summarise' : 'leaveOut',
    events,
    clock,
  });
  const housekeeping = createHousekeeping({
    store,
    events,
    keepChatsMs: parts.keepChatsMs,
    once: parts.once ?? ((_, work) => work()),
    clock,
    logger,
  });

  parts.keyRing.onWithdrawn((withdrawn) => {
    if (withdrawn.kind !== 'person') return;
    registry.endWhere((answer) => answer.personId === withdrawn.personId, 'access-withdrawn');
  });

  return {
    answersForPeers: createPeerAnswers(registry),
    chats,
    folders,
    archive,
    sharing: createSharingDesk({ store, archive, events, clock }),
    spaces: {
      ...createSpaceKeeping({ ...parts, news }),
      ...createSpaceChats({ ...parts, archive, registry, news, events }),
    },
    generations: createGenerationDesk({
      store,
      documents: parts.documents,
      preparer,
      inference,
      catalogue,
      registry,
      rounds,
      elsewhere,
      quota,
      events,
      clock,
      answered: (chat, message, asker) => titles.suggest(chat, message, asker),
      spaceOf: createSpaceOfAnswer(parts),
    }),
    storageOf: async (personId) => ({
      usedBytes: await parts.storedBytesOf(personId),
      limitBytes: quota.limitBytes,
    }),
    storageLimitBytes: quota.limitBytes,
    async erase(personId) {
      while ((await store.eraseSome(personId)) > 0) await nextTurn();
    },
    watch: (personId, listener) => events.watch(personId, listener),
    start: () => housekeeping.start(),
    async stop() {
      titles.stop();
      await Promise.all([housekeeping.stop(), registry.stop()]);
    },
  };
}
