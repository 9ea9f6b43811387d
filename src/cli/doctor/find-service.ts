import { inspectJournals } from '#accounting';
import type { Settings } from '#settings';
import { ask } from './ask.ts';
import { readSamples, type Samples } from './read-samples.ts';

/** A Gatehouse that answers where the settings say. */
export interface RunningService {
  readonly url: string;
  readonly version: string;
  readonly isReady: boolean;
  /** Why not, in its own words. */
  readonly obstacles: readonly string[];
  /** It serves from the data folder of these settings, as far as can be told. */
  readonly isOurs: boolean;
  /** Undefined when it does not show them to us. */
  readonly metrics: Samples | undefined;
}

export async function findService(settings: Settings): Promise<RunningService | undefined> {
  if (settings.listen.port === 0) return undefined;
  const scheme = settings.tls === undefined ? 'http' : 'https';
  const url = `${scheme}://${addressToAsk(settings.listen)}`;
  try {
    const session = await get(`${url}/console/session`);
    const version = readVersion(session.json());
    if (version === undefined) return undefined;
    const readiness = await get(`${url}/readyz`);
    return {
      url,
      version,
      isReady: readiness.status === 200,
      obstacles: readReasons(readiness.json()),
      isOurs: hasLivingOwner(settings.dataDir),
      metrics: await readMetrics(settings, url),
    };
  } catch {
    return undefined;
  }
}

/** A wildcard address is reached by loopback. */
export function addressToAsk({ host, port }: { readonly host: string; readonly port: number }): string {
  const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${asked.includes(':') ? `[${asked}]` : asked}:${port}`;
}

async function readMetrics(settings: Settings, url: string): Promise<Samples | undefined> {
  const own = settings.metricsListen;
  const base = own === undefined ? url : `http://${addressToAsk(own)}`;
  try {
    const answer = await get(`${base}/metrics`);
    return answer.status === 200 ? readSamples(answer.text) : undefined;
  } catch {
    return undefined;
  }
}

function get(url: string) {
  return ask({ url, acceptsAnyCertificate: true, limitMs: 5_000 });
}

function readVersion(session: unknown): string | undefined {
  const { service } = (session ?? {}) as { service?: { version?: unknown; publicUrl?: unknown } };
  return typeof service?.version === 'string' && service.publicUrl !== undefined
    ? service.version
    : undefined;
}

function readReasons(readiness: unknown): string[] {
  const { reasons } = (readiness ?? {}) as { reasons?: unknown };
  return Array.isArray(reasons) ? reasons.map(String) : [];
}

function hasLivingOwner(dataDir: string): boolean {
  try {
    return inspectJournals(dataDir).livingOwners > 0;
  } catch {
    // Somebody else's folder: the check of the data folder says so.
    return true;
  }
}
