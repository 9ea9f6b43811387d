/** The one place that knows which concrete thing stands behind which word. */
import { hostname } from 'node:os';
import type { Server } from 'node:net';
import { createAccounting, createUsageRetention } from '#accounting';
import { createAccounts } from '#accounts';
import { createAudit } from '#audit';
import { createAdmission } from '#admission';
import { createDoors } from '#doors';
import { startEngine } from '#engine';
import { checkModelFile, inspectModelFile } from '#engine/model-files';
import { createEngines } from '#engines';
import { composeLeaving, farewell, lastTextsMs } from './leaving.ts';
import type { Heritage } from '../handover.ts';
import { composeCatalogue } from './catalogue.ts';
import { composePeopleSide } from './console.ts';
import { composeContinuity } from './continuity.ts';
import { composeInference } from './documents.ts';
import { composeGauges, countInFlight } from './gauges.ts';
import { noEngine, readEngineHealth } from './health.ts';
import { composeListening } from './listening.ts';
import { composePeers } from './peers.ts';
import { composeReceipts } from './receipts.ts';
import { composeSharing } from './sharing.ts';
import { composeStatus } from './status.ts';
import { composeTools } from './tools.ts';
import { createBookkeeper } from '../flow/bookkeeper.ts';
import { createHopes } from '../flow/patience.ts';
import { serveResponses } from '../flow/serve-responses.ts';
import { describeModels } from '../flow/describe-models.ts';
import { serveStreams } from '../flow/serve-streams.ts';
import { type Rooms, serveInference } from '#flow';
import { createCallerBudgets } from '#http';
import { createRelay } from '#relay';
import { createResponses } from '#responses';
import { createRouting, type EngineReport } from '#routing';
import type { LoadedSettings, Settings, SettingsSource } from '#settings';
import { openDatabase } from '#storage';
import { createEngineSupervisor } from '#supervisor';
import { createMetrics } from '#telemetry';
import { patiently } from '../patient-start.ts';
import { programVersion } from '../program-version.ts';
import { systemClock, systemTimers } from '#vocabulary/clock';
import type { EmbeddedEngineStatus } from '#vocabulary/embedded-engine';
import type { IncomingRequest } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';

export interface Gatehouse {
  /** Resolves with the address people can open. */
  start(): Promise<{ readonly url: string; readonly metricsUrl: string }>;
  /** Models, engines and networks as newly written; running requests are not disturbed. */
  reload(settings: Settings): void;
  /** Not ready any more, nobody new; resolves when the last answer has left or the limit has passed. */
  drain(): Promise<void>;
  /** What another process of this service can go on listening with. */
  listeners(): readonly Server[];
  openForSuccessor: () => Promise<string>;
  /** Another process serves; resolves when the last answer of this one has left or the limit has passed. */
  handOver(): Promise<void>;
  /** Says how many entries of the usage journal were lost, because the disk did not take them. */
  stop(): Promise<{ readonly lostUsage: number }>;
  engines(): readonly EmbeddedEngineStatus[];
  /** A one-time link for the operator, while there is no other way in. */
  firstSignIn(): Promise<string | undefined>;
  whenWarm(): Promise<void>;
}

/** A response in the background waits so long for an engine; the places for them are not for what never comes. */
const longestPatienceMs = 24 * 3_600_000;
/** So long the process before this one, or its next one, has to go on with a response that nobody writes. */
const heirMs = 30_000;
/** After a power cut the machines of several gateways do not come back in the same moment. */
const heirsMs = 600_000;

export async function composeGatehouse(
  loaded: LoadedSettings,
  settingsSource: SettingsSource,
  logger: Logger,
  heritage?: Heritage,
): Promise<Gatehouse> {
  const { settings } = loaded;
  const version = programVersion();
  const clock = systemClock;
  const { limits } = settings;
  const storage = await openDatabase({ ...settings, logger });
  const keyPolicy = {
    maxKeysPerPerson: settings.keys.maxPerPerson,
    maxLifetimeMs: settings.keys.maxLifetimeMs,
  };
  const audit = createAudit({ store: storage.audit, clock, logger, ...settings.audit });
  const accounts = createAccounts({
    audit,
    keys: storage.keys,
    beforeLook: () => projects.refresh(),
    clock,
    logger,
    keyPolicy,
  });
  const journal = createAccounting({
    dataDir: settings.dataDir,
    applier: storage.usageApplier,
    ...settings.accounting,
    clock,
    logger,
  });
  const usageRetention = createUsageRetention({
    store: storage.usage,
    keepMs: settings.retention.usageMs,
    once: storage.once,
    clock,
    logger,
  });
  const supervisor = createEngineSupervisor({
    definitions: settings.catalogue.engines,
    models: settings.catalogue.models,
    dataDir: settings.dataDir,
    startEngine,
    checkModelFile,
    estimateMemory: inspectModelFile,
    logger,
    clock,
  });
  const { now: catalogue, ...liveCatalogue } = composeCatalogue(settings.catalogue, supervisor.withSockets);
  let publicUrl = settings.publicUrl ?? '';
  let isServing = false;

  const metrics = createMetrics({
    version,
    isKnownModel: (id) => catalogue().models.some((model) => model.id === id),
  });
  const engines = createEngines({
    catalogue: catalogue(),
    whenReady: async (engineName) => void (await supervisor.whenReady(engineName)),
    isIdle: supervisor.isIdle,
    onSilence: (engineName) => routing.suspect(engineName),
    onOwnUsage: (engineName, usage) => status.usedOurselves(engineName, usage),
    silenceMs: limits.engineSilenceMs || Infinity,
    onContextLength: liveCatalogue.learn,
    clock,
    logger,
  });
  const peerSide = composePeers({ settings, storage, clock, logger });
  const routing = createRouting({
    catalogue: catalogue(),
    probe: engines.probe,
    isAlive: engines.isAlive,
    onDead: (engineName) => engines.abandon(engineName, 'the engine does not answer any more'),
    probeIntervalMs: 30_000,
    readLoad: engines.readLoad,
    loadIntervalMs: 1000,
    ...peerSide.sharedEngines(() => sharing.demand()),
    clock,
    timers: systemTimers,
    logger,
  });
  const { sharing, projects, projectDesk, ...sharingSide } = composeSharing({
    settings,
    storage,
    catalogue: catalogue(),
    routing,
    audit,
    others: peerSide,
    clock,
    logger,
  });
  const status = composeStatus({
    settings,
    storage,
    others: peerSide,
    journal,
    catalogue,
    engineHealth,
    waiting: sharing.waiting,
    running: () => countInFlight(rooms),
    waitingByProject: sharing.waitingByProject,
    projectName: (id) => projects.find(id)?.name ?? id,
    whyNotReady,
    audit,
    engines,
    metrics,
    isSignedIn: (exchange) => people.console.isSignedIn(exchange),
    version,
    clock,
    logger,
  });
  const responses = createResponses({
    store: storage.responses,
    once: storage.once,
    ...settings.responses,
    maxBodyBytes: limits.maxBodyBytes,
    heirsMs: peerSide.calls !== undefined ? heirsMs : heritage === undefined ? 0 : heirMs,
    hasHeir: (id) => continuity.isFound(id),
    clock,
    logger,
  });
  const receipts = composeReceipts({
    settings,
    storage,
    journal,
    engines,
    catalogue,
    publicUrl: () => publicUrl,
    version,
    clock,
    logger,
  });
  const rooms: Rooms = {
    doors: createDoors({
      catalogue,
      publicUrl: () => publicUrl,
      hostNames: new Set([...settings.hostNames, hostname().toLowerCase(), settings.listen.host]),
      hasCertificate: settings.tls !== undefined,
      forwardedHeader: settings.forwardedHeader,
      limits,
      shelf: responses.shelf,
      leavesReceipts: settings.receipts.keep,
      engineOffers: engines.offers,
      modelsCreatedAt: Math.floor(clock.wallMs() / 1000),
    }),
    admission: createAdmission({
      catalogue,
      publicUrl: () => publicUrl,
      keyRing: accounts.keyRing,
      projects,
      clock,
    }),
    sharing,
    routing,
    engines,
    relay: createRelay({
      heartbeatMs: settings.heartbeatMs || Infinity,
      speaksPublicForm: engines.speaksPublicForm,
      clock,
    }),
    receipts: receipts.desk,
    bookkeeper: createBookkeeper({ journal: status.journal, metrics, clock, logger }),
    patienceMs: Math.min(settings.responses.keepMs, longestPatienceMs),
    hopes: createHopes(limits.waitingLine),
  };
  const budgets = createCallerBudgets({
    totalBytes: limits.totalBufferedBytes,
    callerBytes: limits.totalBufferedBytes / 4,
    maxRequestsPerAddress: limits.maxConnectionsPerAddress,
    isTrustedProxy: rooms.doors.isTrustedProxy,
  });
  const tools = composeTools({ settings: settings.tools, projects, metrics, clock, logger });
  const around = { storage, others: peerSide, heritage };
  const continuity = composeContinuity({ settings, rooms, responses, budgets, ...around, clock, logger });
  const people = composePeopleSide({
    loaded,
    settingsSource,
    storage,
    accounts,
    audit,
    keyPolicy,
    doors: rooms.doors,
    admission: rooms.admission,
    ...composeInference(rooms, budgets.open, clock, logger),
    readReceipt: receipts.read,
    projects,
    projectDesk,
    tools,
    others: peerSide,
    catalogue,
    engineHealth,
    engines,
    operations: status.operations,
    bulletin: status.bulletin,
    appearance: status.appearance,
    status: status.status,
    publicUrl: () => publicUrl,
    version,
    clock,
    logger,
  });
  const { http, metricsHttp, listening } = composeListening({
    settings,
    doors: rooms.doors,
    budgets,
    metrics,
    whyNotReady,
    routes: {
      proxy: (exchange) => serve(rooms.doors.greetAtProxy(exchange)),
      direct: (exchange) => serve(rooms.doors.greetAtDirect(exchange)),
      console: (exchange) => people.console.handle(exchange),
      status: status.answer,
      receiptKeys: receipts.answerKeys,
      logo: status.answerLogo,
      manifest: status.answerManifest,
      peer: peerSide.answer({ answers: people.answersForPeers, ...continuity.services }),
    },
    clock,
    logger,
  });
  const { admission } = rooms;
  const leaving = composeLeaving({ settings, admission, routing, continuity, http, metricsHttp, heritage });
  composeGauges({ metrics, catalogue, rooms, http, budgets, journal, storage, continuity });

  return {
    async start() {
      await Promise.all([accounts.keyRing, sharingSide].map((part) => patiently(logger, () => part.start())));
      await patiently(logger, () => people.sharedCatalogue.start());
      await journal.whenOpened();
      storage.onChange(() => void accounts.keyRing.refresh());
      await peerSide.start();
      const { url, metricsUrl } = await leaving.listen();
      publicUrl = settings.publicUrl ?? url;
      await peerSide.listensAt(url);
      await Promise.all([continuity.start(), patiently(logger, () => people.conversations.start())]);
      people.desks.providers.recheck.start();
      for (const part of [audit, usageRetention, responses, status, receipts]) part.start();
      isServing = true;
      return { url, metricsUrl };
    },
    reload(next) {
      audit
        .note({ kind: 'settings-reloaded', by: { kind: 'service' } })
        .catch((error: unknown) => logger.error({ error }, 'the reload is missing in the audit trail'));
      supervisor.apply(next.catalogue.engines, next.catalogue.models);
      liveCatalogue.apply(next.catalogue);
      engines.apply(catalogue());
      routing.apply(catalogue());
      sharingSide.apply(catalogue(), next);
      status.apply(catalogue());
      tools.apply(next.tools);
    },
    listeners: leaving.listeners,
    openForSuccessor: () => continuity.openForSuccessor(listening),
    handOver: leaving.handOver,
    drain() {
      isServing = false;
      return leaving.drain();
    },
    async stop() {
      people.desks.providers.recheck.stop();
      people.sharedCatalogue.stop();
      await farewell([people.conversations.stop()], lastTextsMs);
      await continuity.stop();
      await http.close();
      await metricsHttp?.close();
      const peersLeft = peerSide.stop();
      sharingSide.stop();
      routing.stop();
      rooms.relay.stop();
      await engines.close();
      await supervisor.stop();
      rooms.bookkeeper.stop();
      const { keyRing } = accounts;
      await farewell([peersLeft, status.stop(), usageRetention.stop(), responses.stop(), keyRing.stop()]);
      await farewell([continuity.writeDown()]);
      const lostUsage = await journal.close(5000);
      await farewell([audit.stop()]);
      await storage.close();
      return { lostUsage };
    },
    engines: () => supervisor.status(),
    async firstSignIn() {
      const { email, password } = settings.signIn.admin ?? {};
      return (await people.desks.ensureFirstOperator({ email, password }))?.url;
    },
    async whenWarm() {
      const atBoot = supervisor.status().filter(({ start }) => start === 'boot');
      await Promise.allSettled(atBoot.map(({ name }) => supervisor.whenReady(name)));
    },
  };

  function engineHealth(): readonly EngineReport[] {
    return readEngineHealth(supervisor, routing);
  }

  function whyNotReady(): readonly string[] {
    return [
      ...(isServing ? [] : ['the service is starting or stopping']),
      ...[journal.obstacle(), storage.problem(), noEngine(engineHealth())].filter((why) => why !== undefined),
    ];
  }

  function serveQuestion(incoming: IncomingRequest): Promise<void> {
    return serveResponses(continuity.responseRooms, incoming) ?? serveInference(rooms, incoming);
  }

  function serve(incoming: IncomingRequest): Promise<void> | undefined {
    if (describeModels(rooms, incoming)) return undefined;
    const receipt = receipts.serve(rooms.admission, incoming);
    return receipt ?? serveStreams(continuity.rooms, incoming, serveQuestion);
  }
}
