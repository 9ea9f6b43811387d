import type { Kysely } from 'kysely';
import type {
  IdentityStore,
  InvitationStore,
  PersonUsageStore,
  PreferenceStore,
  SessionStore,
  SignInLinkStore,
} from '#vocabulary/account-stores';
import type { AuditStore } from '#vocabulary/audit';
import type { BulletinStore } from '#vocabulary/bulletin';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { DocumentStore, VectorStore } from '#vocabulary/documents';
import type { FolderStore } from '#vocabulary/folders';
import type { PresetStore } from '#vocabulary/presets';
import type { ProjectStore } from '#vocabulary/project';
import type { ResponseStore } from '#vocabulary/response-store';
import type { ServiceHistoryStore } from '#vocabulary/service-history';
import type { ServiceNoteStore } from '#vocabulary/service-notes';
import type { SpaceStore } from '#vocabulary/spaces';
import type { KeyStore, PeopleStore, UsageStore } from '#vocabulary/stores';
import type { ToolConsentStore } from '#vocabulary/tools';
import { createAuditStore } from './audit-store.ts';
import { createBulletinStore } from './bulletin-store.ts';
import type { WordSearch } from './conversation-search.ts';
import { createConversationStore } from './conversation-store.ts';
import { createDocumentStore } from './document-store.ts';
import { createFolderStore } from './folder-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createInvitationStore } from './invitation-store.ts';
import { createKeyStore } from './key-store.ts';
import type { LivingProcesses } from '#vocabulary/living-processes';
import { createPeopleStore } from './people-store.ts';
import { createPersonUsageStore } from './person-usage-store.ts';
import { createPreferenceStore } from './preference-store.ts';
import { createPresetStore } from './preset-store.ts';
import { createProjectStore } from './project-store.ts';
import { createResponseStore } from './response-store.ts';
import { createServiceHistoryStore } from './service-history-store.ts';
import { createServiceNoteStore } from './service-note-store.ts';
import { createSessionStore } from './session-store.ts';
import { createSignInLinkStore } from './sign-in-link-store.ts';
import { createSpaceStore } from './space-store.ts';
import type { Tables } from './tables.ts';
import { createToolConsentStore } from './tool-consent-store.ts';
import { createUsageStore } from './usage-store.ts';
import { createVectorStore } from './vector-store.ts';

export interface Stores {
  readonly people: PeopleStore;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  readonly identities: IdentityStore;
  readonly sessions: SessionStore;
  readonly signInLinks: SignInLinkStore;
  readonly invitations: InvitationStore;
  readonly preferences: PreferenceStore;
  readonly presets: PresetStore;
  readonly projects: ProjectStore;
  readonly personUsage: PersonUsageStore;
  readonly conversations: ConversationStore;
  readonly folders: FolderStore;
  readonly documents: DocumentStore;
  readonly vectors: VectorStore;
  readonly spaces: SpaceStore;
  readonly toolConsents: ToolConsentStore;
  readonly audit: AuditStore;
  readonly responses: ResponseStore;
  readonly serviceHistory: ServiceHistoryStore;
  readonly serviceNotes: ServiceNoteStore;
  readonly bulletin: BulletinStore;
}

export interface StoreParts {
  readonly database: Kysely<Tables>;
  /** For searches, reports and exports: what takes long to read holds up nobody else. */
  readonly reading: Kysely<Tables>;
  readonly processes: LivingProcesses;
  readonly words: WordSearch;
}

/** The same queries for both databases. */
export function createStores({ database, reading, processes, words }: StoreParts): Stores {
  const people = createPeopleStore(database);
  return {
    people,
    keys: createKeyStore(database, people),
    usage: createUsageStore(database, reading),
    identities: createIdentityStore(database),
    sessions: createSessionStore(database),
    signInLinks: createSignInLinkStore(database),
    invitations: createInvitationStore(database),
    preferences: createPreferenceStore(database),
    presets: createPresetStore(database),
    projects: createProjectStore(database),
    personUsage: createPersonUsageStore(reading),
    conversations: createConversationStore(database, reading, processes, words),
    folders: createFolderStore(database),
    documents: createDocumentStore(database, reading, words),
    vectors: createVectorStore(database, reading),
    spaces: createSpaceStore(database),
    toolConsents: createToolConsentStore(database),
    audit: createAuditStore(database, reading),
    responses: createResponseStore(database, processes),
    serviceHistory: createServiceHistoryStore(database, reading),
    serviceNotes: createServiceNoteStore(database),
    bulletin: createBulletinStore(database),
  };
}
