/** Projects, limits and the fair line, put together. */
import type { PeerSide } from './peers.ts';
import {
  createLimitKeeper,
  createProjectDesk,
  createProjectDirectory,
  createSharing,
  noCrowdElsewhere,
  shareConsumption,
  shareCrowds,
  loadSpending,
  type LiveProjectDirectory,
  type Sharing,
} from '#sharing';
import type { Routing } from '#routing';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { AuditTrail } from '#vocabulary/audit';
import type { Catalogue } from '#vocabulary/catalogue';
import { type Clock, systemTimers } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { ProjectDesk } from '#vocabulary/project-desk';
import { noOtherGateway } from '#vocabulary/sharing';

export interface SharingSide {
  readonly projects: LiveProjectDirectory;
  readonly projectDesk: ProjectDesk;
  readonly sharing: Sharing;
  start(): Promise<void>;
  apply(catalogue: Catalogue, settings: Settings): void;
  stop(): void;
}

const readAgainMs = 600_000;

export function composeSharing(parts: {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly catalogue: Catalogue;
  readonly routing: Routing;
  readonly audit: AuditTrail;
  readonly others: Pick<PeerSide, 'peers' | 'ownId'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): SharingSide {
  const { settings, storage, clock, logger } = parts;
  const { peers, ownId } = parts.others;
  let { catalogue } = parts;
  let isStarted = false;
  const projects = createProjectDirectory({
    store: storage.projects,
    configured: settings.projects,
    clock,
    logger,
    changed: () => void (isStarted && loadBudgets()),
  });
  const sharing = createSharing({
    catalogue,
    routes: parts.routing,
    limitsFor: projects.limitsFor,
    keeper: createLimitKeeper(clock, peers && { peers, ownId, timers: systemTimers }),
    news: peers === undefined ? noOtherGateway : shareConsumption(peers, clock),
    crowds: peers === undefined ? noCrowdElsewhere : shareCrowds(peers, ownId),
    limits: settings.limits.waitingLine,
    ...settings.sharing,
    clock,
    timers: systemTimers,
  });
  // Whatever the others have told while nobody listened stands in the books.
  peers?.onFoundAgain(() => void loadBudgets());
  // What a gateway that died had in hand comes into the books when somebody reads its journal.
  const reading = peers && systemTimers.every(readAgainMs, () => void loadBudgets());
  const projectDesk = createProjectDesk({
    store: storage.projects,
    directory: projects,
    people: storage.people,
    keys: storage.keys,
    catalogue: () => catalogue,
    standing: sharing.standing,
    audit: parts.audit,
    clock,
  });
  return {
    projects,
    projectDesk,
    sharing,
    async start() {
      await projects.read();
      isStarted = true;
      await loadBudgets();
    },
    apply(next, { projects: configured }) {
      catalogue = next;
      sharing.apply(next);
      projects.configure(configured);
    },
    stop() {
      sharing.stop();
      reading?.[Symbol.dispose]();
    },
  };

  async function loadBudgets(): Promise<void> {
    if (!projects.hasBudgets) return;
    const limitedModels = new Set(projects.exceptions().flatMap(({ modelId }) => modelId ?? []));
    await loadSpending({ usage: storage.usage, limitedModels, begin: sharing.beginSpending, clock, logger });
  }
}
