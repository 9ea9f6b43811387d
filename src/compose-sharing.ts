/** Projects, limits and the fair line, put together. */
import {
  createProjectDirectory,
  createSharing,
  loadSpending,
  type LiveProjectDirectory,
  type Sharing,
} from '#sharing';
import type { Routing } from '#routing';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { Catalogue } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';

export interface SharingSide {
  readonly projects: LiveProjectDirectory;
  readonly sharing: Sharing;
  start(): Promise<void>;
  apply(catalogue: Catalogue, settings: Settings): void;
  stop(): void;
}

export function composeSharing(parts: {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly catalogue: Catalogue;
  readonly routing: Routing;
  readonly clock: Clock;
  readonly logger: Logger;
}): SharingSide {
  const { settings, storage, clock, logger } = parts;
  let isStarted = false;
  const projects = createProjectDirectory({
    store: storage.projects,
    configured: settings.projects,
    clock,
    logger,
    changed: () => void (isStarted && loadBudgets()),
  });
  const sharing = createSharing({
    catalogue: parts.catalogue,
    routes: parts.routing,
    limitsFor: projects.limitsFor,
    limits: settings.limits.waitingLine,
    ...settings.sharing,
    clock,
  });
  return {
    projects,
    sharing,
    async start() {
      await projects.start();
      isStarted = true;
      await loadBudgets();
    },
    apply(catalogue, { projects: configured }) {
      sharing.apply(catalogue);
      projects.configure(configured);
    },
    stop() {
      projects.stop();
      sharing.stop();
    },
  };

  async function loadBudgets(): Promise<void> {
    if (!projects.hasBudgets) return;
    await loadSpending({ usage: storage.usage, begin: sharing.beginSpending, clock, logger });
  }
}
