/** Where the service listens: its address, and the one for metrics alone if they have one. */
import { fileURLToPath } from 'node:url';
import type { Doors } from '#doors';
import {
  type CallerBudgets,
  createHttp,
  createOperationsRoutes,
  createRouteTable,
  type HttpOptions,
  type HttpServer,
} from '#http';
import type { Settings } from '#settings';
import type { MetricsRegistry } from '#telemetry';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';

type Routes = Parameters<typeof createRouteTable>[0];

/** What is the same wherever we listen. */
export type Listening = Omit<HttpOptions, 'listen' | 'tls' | 'routeOf'>;

interface ListeningParts {
  readonly settings: Settings;
  readonly doors: Doors;
  readonly budgets: CallerBudgets;
  readonly metrics: MetricsRegistry;
  readonly whyNotReady: () => readonly string[];
  readonly routes: Omit<
    Routes,
    'health' | 'readiness' | 'metrics' | 'isDirectPath' | 'directAddress' | 'pagesDirectory'
  >;
  readonly clock: Clock;
  readonly logger: Logger;
}

const pagesDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url));

export function composeListening(parts: ListeningParts): {
  readonly http: HttpServer;
  readonly metricsHttp: HttpServer | undefined;
  readonly listening: Listening;
} {
  const { settings, doors, budgets, metrics, whyNotReady, routes, clock, logger } = parts;
  const { listen, metricsListen, tls, limits } = settings;
  const operations = createOperationsRoutes({
    whyNotReady,
    metrics,
    showsMetricsLocally: metricsListen === undefined,
    requireThisMachine: doors.requireThisMachine,
  });
  const listening: Listening = {
    limits,
    budgets,
    addressOf: doors.addressOf,
    isTrustedProxy: doors.isTrustedProxy,
    clock,
    logger,
    onRefusal: (door, refusal) => metrics.requestRefused(door, refusal.code),
  };
  const { isDirectPath, directAddress } = doors;
  const routeOf = createRouteTable({ ...operations, ...routes, isDirectPath, directAddress, pagesDirectory });
  return {
    http: createHttp({ ...listening, listen, tls, routeOf }),
    metricsHttp:
      metricsListen &&
      createHttp({
        ...listening,
        listen: metricsListen,
        tls: undefined,
        routeOf: operations.metricsListener,
      }),
    listening,
  };
}
