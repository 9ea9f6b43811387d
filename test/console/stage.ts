import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createAccounts, createPersonDesks } from '#accounts';
import { type Audit, createAudit } from '#audit';
import { createConsole } from '#console';
import { createConversations } from '#conversations';
import { createDocuments } from '#documents';
import { createPresetDesk } from '#presets';
import { createCallerBudgets, createHttp } from '#http';
import { createReceiptReader, createSigningKey } from '#receipts';
import { createProjectDesk, createProjectDirectory } from '#sharing';
import { openStorage } from '#storage';
import { createTools } from '#tools';
import type { Embedder, EmbeddingModel } from '#vocabulary/embedding';
import { silentLogger } from '#vocabulary/logger';
import type { ConfiguredProject } from '#vocabulary/project';
import type { ProjectDesk } from '#vocabulary/project-desk';
import type { CountTokens } from '#vocabulary/token-count';
import type { UsageJournal } from '#vocabulary/usage';
import { composeStatus } from '../../src/composition/status.ts';
import { createLimitKeeper } from '../../src/sharing/limit-keeper.ts';
import { createPuppetInference, type PuppetInference } from './puppet-inference.ts';
import { catalogue, healthy, plain } from './stage-catalogue.ts';
import { Visitor } from './visitor.ts';

type Providers = Parameters<typeof createPersonDesks>[0]['providers'];

export interface StageOptions {
  readonly dataDir?: string;
  readonly providers?: Providers;
  readonly publicUrl?: string;
  readonly port?: number;
  readonly keepChatsMs?: number;
  readonly storagePerPersonBytes?: number;
  readonly documentsTotalBytes?: number;
  readonly hasLocalAccounts?: boolean;
  readonly statusReaders?: 'people' | 'everybody';
  readonly projects?: readonly ConfiguredProject[];
  /** Passes only in `advance`, however slow the machine is. */
  readonly doesTimeStandStill?: boolean;
  /** Without it no engine counts. */
  readonly countTokens?: CountTokens;
  /** Without it documents are searched by their words alone. */
  readonly embeddings?: { readonly embedder: Embedder; readonly model: () => EmbeddingModel };
}

/** The real rooms around the console behind the real HTTP server; only the engine is a puppet, and time is ours. */
export interface Stage extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly inference: PuppetInference;
  readonly storage: ReturnType<typeof openStorage>;
  readonly accounts: ReturnType<typeof createAccounts>;
  readonly audit: Audit;
  readonly projectDesk: ProjectDesk;
  readonly desks: ReturnType<typeof createPersonDesks>;
  /** As if the settings were read anew. */
  reload(): void;
  advance(milliseconds: number): void;
  visitor(): Visitor;
  /** Somebody who has signed in; with a password only if one is given, because hashing is slow. */
  arrive(name: string, role?: 'person' | 'administrator', password?: string): Promise<Visitor>;
  /** Everything in the database but what is written by itself: when people were last seen, how far the search has caught up. */
  dump(): string;
  /** As a killed process would: nothing gets the chance to tidy up. */
  abandon(): Promise<void>;
  stop(): Promise<void>;
}

/** Who prepares the stage, for the audit trail. */
export const tester = { kind: 'service' } as const;

export const password = 'correct horse battery';

export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'gatehouse-console-'));
  let aheadMs = 0;
  const startedAt = Date.now();
  const clock = {
    wallMs: () => (options.doesTimeStandStill === true ? startedAt : Date.now()) + aheadMs,
    monotonicMs: () => (options.doesTimeStandStill === true ? 0 : performance.now()) + aheadMs,
  };
  let url = options.publicUrl ?? '';
  const publicUrl = () => options.publicUrl ?? url;
  const storage = openStorage({ dataDir, logger: silentLogger });
  const keyPolicy = { maxKeysPerPerson: 5, maxLifetimeMs: undefined };
  const audit = createAudit({ store: storage.audit, clock, logger: silentLogger });
  const accounts = createAccounts({ keys: storage.keys, clock, logger: silentLogger, keyPolicy, audit });
  const { keyRing, keyDesk } = accounts;
  const directory = createProjectDirectory({
    store: storage.projects,
    configured: {
      projects: options.projects ?? [],
      defaultLimits: { key: {}, person: { requestsPerMinute: 60 }, project: {}, member: {} },
    },
    clock,
    logger: silentLogger,
    changed: () => {},
  });
  const keeper = createLimitKeeper(clock);
  const projectDesk = createProjectDesk({
    ...storage,
    store: storage.projects,
    directory,
    catalogue: () => catalogue,
    standing: (share, modelId) => keeper.standing(directory.limitsFor(share, modelId)),
    audit,
    clock,
  });
  const day = 86_400_000;
  const desks = createPersonDesks({
    ...storage,
    keyRing,
    audit,
    clock,
    logger: silentLogger,
    lifetimes: { idleMs: 7 * day, absoluteMs: 30 * day },
    hasLocalAccounts: options.hasLocalAccounts ?? true,
    providers: options.providers ?? [],
    recheck: { sessionsMs: 12 * 3_600_000, keysMs: 30 * day },
    followGroups: projectDesk.followGroups,
    joinProjects: projectDesk.joinProjects,
    postman: undefined,
    publicUrl,
  });
  const inference = createPuppetInference();
  const storagePerPersonBytes = options.storagePerPersonBytes ?? 1e9;
  const storedBytesOf = async (personId: string) =>
    (await storage.conversations.countStoredBytes(personId)) +
    (await storage.documents.countStoredBytes(personId));
  const documents = createDocuments({
    store: storage.documents,
    ...(options.embeddings && {
      byMeaning: { ...options.embeddings, store: storage.vectors, once: storage.once },
    }),
    storagePerPersonBytes,
    storedBytesOf,
    maxDocumentBytes: 8e6,
    spaces: storage.spaces,
    isMember: directory.isMember,
    storagePerProjectBytes: 1e9,
    maxTotalBytes: options.documentsTotalBytes ?? 1e9,
    clock,
    logger: silentLogger,
  });
  const tools = createTools({
    settings: { servers: [], maxRounds: 8, maxCallsPerPerson: 4, maxCalls: 64 },
    projectsOf: () => [],
    clock,
    logger: silentLogger,
  });
  let served = catalogue;
  const conversations = createConversations({
    store: storage.conversations,
    folders: storage.folders,
    documents: storage.documents,
    meaning: documents.meaning,
    spaces: storage.spaces,
    projects: directory,
    projectDesk,
    audit,
    storagePerProjectBytes: 1e9,
    storedBytesOf,
    preferences: storage.preferences,
    toolConsents: storage.toolConsents,
    tools,
    inference,
    countTokens: options.countTokens ?? (async () => undefined),
    catalogue: () => served,
    keyRing,
    keepChatsMs: options.keepChatsMs,
    storagePerPersonBytes,
    clock,
    logger: silentLogger,
  });
  const status = composeStatus({
    settings: {
      appearance: {},
      dataDir,
      tls: undefined,
      status: { readers: options.statusReaders ?? 'people' },
    },
    others: { peers: undefined, isFirst: () => true },
    storage,
    journal: noJournal,
    catalogue: () => catalogue,
    engineHealth: () => [healthy],
    waiting: () => new Map([[plain.id, 2]]),
    running: () => new Map([[plain.id, 1]]),
    waitingByProject: () => new Map([['everyone', 2]]),
    projectName: (id) => directory.find(id)?.name ?? id,
    whyNotReady: () => [],
    audit,
    engines: {
      tryOut: () => Promise.resolve({ isWell: true, text: 'Hello.', tookMs: 1 }),
      readCounters: () => Promise.resolve('none'),
    },
    metrics: { observe: () => {} },
    isSignedIn: (exchange) => console.isSignedIn(exchange),
    version: '0.0.0',
    clock,
    logger: silentLogger,
  });
  const console = createConsole({
    ...storage,
    desks,
    keyDesk,
    projectDesk,
    audit,
    keyPolicy,
    conversations,
    presets: createPresetDesk({ store: storage.presets, audit, clock }),
    documents,
    tools,
    countFeedback: () => storage.conversations.countFeedback(),
    readReceipt: createReceiptReader({
      usage: storage.usage,
      journal: { flush: async () => {} },
      key: createSigningKey(storage.secret),
      publicUrl: () => 'http://stage',
    }),
    catalogue: () => catalogue,
    engineHealth: () => [healthy],
    catalogueDesk: {
      list: () => ({ engines: [], models: [] }),
      add: () => Promise.reject(new Error('the stage has no settings')),
      change: () => Promise.reject(new Error('the stage has no settings')),
      remove: () => Promise.reject(new Error('the stage has no settings')),
      foresee: () => Promise.reject(new Error('the stage has no settings')),
    },
    tryEntry: () => Promise.reject(new Error('the stage has no settings')),
    operations: status.operations,
    bulletin: status.bulletin,
    appearance: status.appearance,
    status: status.status,
    settings: () => ({ shown: { limits: { maxBodyBytes: 1 } }, sources: new Map([['limits', 'default']]) }),
    clock,
    version: '0.0.0',
    publicUrl,
    serverAddress: () => undefined,
    addressOf: (exchange) => exchange.peerAddress,
    isDirectPermitted: () => true,
    sessionLifetimeMs: 30 * day,
  });
  const http = createHttp({
    listen: { host: '127.0.0.1', port: options.port ?? 0 },
    tls: undefined,
    limits: {
      maxBodyBytes: 4e6,
      maxHeaderBytes: 16_384,
      maxConnections: 200,
      maxConnectionsPerAddress: 200,
      headerTimeoutMs: 60_000,
      bodyTimeoutMs: 60_000,
      slowReaderMs: 60_000,
    },
    budgets: createCallerBudgets({
      totalBytes: 1e9,
      callerBytes: 1e9,
      maxRequestsPerAddress: 200,
      isTrustedProxy: () => false,
    }),
    addressOf: ({ peerAddress }) => peerAddress,
    isTrustedProxy: () => false,
    clock,
    logger: silentLogger,
    onRefusal: () => {},
    routeOf: () => ({
      door: 'chat',
      headers: ['cache-control', 'no-store'],
      handle: (exchange) => console.handle(exchange),
    }),
  });
  await keyRing.start();
  await directory.read();
  await conversations.start();
  documents.start();
  url = (await http.listen()).url;

  const abandon = async () => {
    await http.close();
    await keyRing.stop();
    inference.abandon();
    await storage.close();
  };
  const stop = async () => {
    await Promise.all([conversations.stop(), documents.stop()]);
    await abandon();
    rmSync(dataDir, { recursive: true, force: true });
  };

  return {
    url,
    dataDir,
    inference,
    storage,
    accounts,
    audit,
    projectDesk,
    desks,
    reload() {
      served = { ...catalogue };
    },
    advance(milliseconds) {
      aheadMs += milliseconds;
    },
    visitor: () => new Visitor(url),
    async arrive(name, role = 'person', chosen) {
      const email = `${name.toLowerCase()}@example.org`;
      const { id } = await desks.people.create({ email, name, role, password: chosen }, tester);
      const link = await desks.signIn.createOneTimeLink(id, tester);
      const visitor = new Visitor(url);
      await visitor.ok('POST /console/sign-in/link', {
        body: { token: link.url.slice(link.url.indexOf('=') + 1) },
      });
      return visitor;
    },
    dump: () => dumpDatabase(dataDir),
    abandon,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function dumpDatabase(dataDir: string): string {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  const tables = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT' AND name <> 'piece_search_progress'",
    )
    .all();
  const content = tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${String(name)}"`).all()]);
  database.close();
  return JSON.stringify(content, (key, value: unknown) => (key === 'last_seen_at' ? null : value), 1);
}

const noJournal: UsageJournal = {
  obstacle: () => undefined,
  open: () => Promise.resolve(true),
  checkpoint() {},
  settle: () => Promise.resolve(true),
  flush: () => Promise.resolve(),
};
