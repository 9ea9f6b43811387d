/** The people's side of the house: sign-in, chats and the console, put together. */
import { isIP } from 'node:net';
import { createPersonDesks, type Accounts } from '#accounts';
import type { Audit } from '#audit';
import type { Admission } from '#admission';
import { type Console, createConsole, type OperationsDesk, type StatusDesk } from '#console';
import { createConversations } from '#conversations';
import { createPresetDesk } from '#presets';
import { createPostman } from '#mail';
import type { Doors } from '#doors';
import type { Engines } from '#engines';
import type { EngineReport } from '#routing';
import type { ReadReceipt } from '#receipts';
import { createCatalogueDesk, type LoadedSettings, type SettingsSource, shareCatalogue } from '#settings';
import { createEntryTest } from '#status';
import { composeCounting } from './counting.ts';
import { composeDocuments } from './documents.ts';
import type { LiveProjectDirectory } from '#sharing';
import type { PeerSide } from './peers.ts';
import type { Storage } from '#storage';
import type { AppearanceDesk } from '#vocabulary/appearance';
import type { BulletinDesk } from '#vocabulary/bulletin';
import type { Catalogue } from '#vocabulary/catalogue';
import type { ChatInference } from '#vocabulary/chat-inference';
import { type Clock, systemTimers } from '#vocabulary/clock';
import type { Conversations } from '#vocabulary/conversations';
import type { Embedder } from '#vocabulary/embedding';
import type { KeyPolicy } from '#vocabulary/key-desk';
import type { Logger } from '#vocabulary/logger';
import type { PersonDesks } from '#vocabulary/person-desks';
import type { PeerService } from '#vocabulary/peers';
import type { ProjectDesk } from '#vocabulary/project-desk';
import type { ToolBench } from '#vocabulary/tools';

export interface PeopleSide {
  readonly desks: PersonDesks;
  readonly conversations: Conversations;
  readonly answersForPeers: PeerService;
  readonly console: Console;
  /** The engines and models that all gateways have; read before anybody is served. */
  readonly sharedCatalogue: { start(): Promise<void>; stop(): void };
}

export function composePeopleSide(parts: {
  readonly loaded: LoadedSettings;
  readonly settingsSource: SettingsSource;
  readonly storage: Storage;
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly keyPolicy: KeyPolicy;
  readonly doors: Doors;
  readonly admission: Admission;
  readonly inference: ChatInference;
  readonly embedder: Embedder;
  readonly readReceipt: ReadReceipt;
  readonly projects: LiveProjectDirectory;
  readonly projectDesk: ProjectDesk;
  readonly tools: ToolBench;
  readonly others: Pick<PeerSide, 'peers' | 'calls'>;
  readonly catalogue: () => Catalogue;
  readonly engineHealth: () => readonly EngineReport[];
  readonly engines: Pick<Engines, 'tryOut' | 'tryOutUnserved' | 'countTokens' | 'offers'>;
  readonly operations: OperationsDesk;
  readonly bulletin: BulletinDesk;
  readonly appearance: AppearanceDesk;
  readonly status: StatusDesk;
  readonly publicUrl: () => string;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): PeopleSide {
  const { loaded, storage, accounts, catalogue, publicUrl, clock, logger } = parts;
  const { settings } = loaded;
  const { peers, calls } = parts.others;
  const desks = createPersonDesks({
    people: storage.people,
    identities: storage.identities,
    sessions: storage.sessions,
    signInLinks: storage.signInLinks,
    invitations: storage.invitations,
    secret: storage.secret,
    keyRing: accounts.keyRing,
    audit: parts.audit,
    clock,
    logger,
    lifetimes: { idleMs: settings.signIn.sessionIdleMs, absoluteMs: settings.signIn.sessionLifetimeMs },
    hasLocalAccounts: settings.signIn.hasLocalAccounts,
    providers: settings.signIn.providers,
    recheck: {
      sessionsMs: settings.signIn.recheckMs,
      keysMs: settings.signIn.keysRecheckMs,
      once: storage.once,
    },
    followGroups: parts.projectDesk.followGroups,
    joinProjects: parts.projectDesk.joinProjects,
    publicUrl,
    postman:
      settings.mail &&
      createPostman({
        mail: settings.mail,
        serviceName: async () => (await parts.appearance.read()).name,
        logger,
      }),
  });
  const storedBytesOf = async (personId: string) =>
    (await storage.conversations.countStoredBytes(personId)) +
    (await storage.documents.countStoredBytes(personId));
  const documents = composeDocuments({ ...parts, settings, storedBytesOf });
  const conversations = createConversations({
    store: storage.conversations,
    folders: storage.folders,
    documents: storage.documents,
    meaning: documents.meaning,
    spaces: storage.spaces,
    projects: parts.projects,
    projectDesk: parts.projectDesk,
    audit: parts.audit,
    storagePerProjectBytes: settings.limits.storagePerProjectBytes,
    storedBytesOf,
    preferences: storage.preferences,
    toolConsents: storage.toolConsents,
    tools: parts.tools,
    inference: parts.inference,
    countTokens: composeCounting(parts),
    catalogue,
    keyRing: accounts.keyRing,
    keepChatsMs: settings.retention.chatsMs,
    once: storage.once,
    others: peers && calls && { peers, calls },
    storagePerPersonBytes: settings.limits.storagePerPersonBytes,
    clock,
    logger,
  });
  const source = parts.settingsSource;
  const sharedCatalogue =
    peers &&
    shareCatalogue({
      notes: storage.serviceNotes,
      file: loaded.managed.file,
      check: source.load,
      reload: source.reload,
      peers,
      logger,
    });
  const catalogueDesk = createCatalogueDesk({
    started: loaded,
    source,
    audit: parts.audit,
    shared: sharedCatalogue,
  });
  const console = createConsole({
    desks,
    keyDesk: accounts.keyDesk,
    projectDesk: parts.projectDesk,
    audit: parts.audit,
    keyPolicy: parts.keyPolicy,
    people: storage.people,
    keys: storage.keys,
    preferences: storage.preferences,
    personUsage: storage.personUsage,
    usage: storage.usage,
    readReceipt: parts.readReceipt,
    countFeedback: () => storage.conversations.countFeedback(),
    conversations,
    presets: createPresetDesk({ store: storage.presets, audit: parts.audit, clock }),
    documents,
    tools: parts.tools,
    toolConsents: storage.toolConsents,
    catalogue,
    engineHealth: parts.engineHealth,
    operations: parts.operations,
    bulletin: parts.bulletin,
    appearance: parts.appearance,
    status: parts.status,
    catalogueDesk,
    tryEntry: createEntryTest({
      ...parts.engines,
      foresee: catalogueDesk.foresee,
      catalogue,
      audit: parts.audit,
    }),
    settings: () => settingsInEffect(loaded, catalogueDesk.latest()),
    clock,
    version: parts.version,
    publicUrl,
    serverAddress: () => literalAddress(settings.listen.host),
    addressOf: (exchange) => parts.doors.addressOf(exchange),
    isDirectPermitted: (address) => parts.admission.permitsNetwork(address),
    sessionLifetimeMs: settings.signIn.sessionLifetimeMs,
  });
  let looking: Disposable | undefined;
  return {
    desks,
    console,
    sharedCatalogue: {
      async start() {
        await sharedCatalogue?.pull();
        looking = sharedCatalogue && systemTimers.every(lookAgainMs, lookAgain);
      },
      stop: () => looking?.[Symbol.dispose](),
    },
    answersForPeers: conversations.answersForPeers,
    conversations: {
      ...conversations,
      async start() {
        await conversations.start();
        documents.start();
      },
      async stop() {
        await Promise.all([conversations.stop(), documents.stop()]);
      },
    },
  };

  function lookAgain(): void {
    // Without the database the copy in the file does.
    sharedCatalogue?.pull().catch(() => {});
  }
}

/** What a command wrote is told by no gateway. */
const lookAgainMs = 2000;

/** Engines and models change while the service runs; the rest is as it was at the start. */
function settingsInEffect(started: LoadedSettings, latest: LoadedSettings) {
  const { engines, models } = latest.shown;
  const sources = new Map(started.sources);
  for (const list of ['engines', 'models']) sources.set(list, latest.sources.get(list) ?? 'default');
  return { shown: { ...started.shown, engines, models }, sources };
}

/** The address that tunnels lead to; a wildcard or loopback address is nothing to lead to. */
function literalAddress(host: string): string | undefined {
  const isReachable =
    isIP(host) !== 0 && host !== '0.0.0.0' && host !== '::' && host !== '::1' && !host.startsWith('127.');
  return isReachable ? host : undefined;
}
