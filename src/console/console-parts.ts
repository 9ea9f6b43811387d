import type { FeedbackCount } from '#contract/feedback';
import type { SignedReceipt } from '#contract/receipts';
import type { StatusReport } from '#contract/status';
import type { EngineDrift, History, HistorySpan, Overview } from '#contract/operations';
import type { PersonUsageStore, PreferenceStore } from '#vocabulary/account-stores';
import type { AppearanceDesk } from '#vocabulary/appearance';
import type { Actor, AuditBook, AuditTrail } from '#vocabulary/audit';
import type { BulletinDesk } from '#vocabulary/bulletin';
import type { Catalogue, EngineTrial } from '#vocabulary/catalogue';
import type { CatalogueDesk, TryEntry } from '#vocabulary/catalogue-desk';
import type { Clock } from '#vocabulary/clock';
import type { Conversations } from '#vocabulary/conversations';
import type { DocumentDesk } from '#vocabulary/documents';
import type { Exchange } from '#vocabulary/exchange';
import type { KeyDesk, KeyPolicy } from '#vocabulary/key-desk';
import type { PersonDesks } from '#vocabulary/person-desks';
import type { PresetDesk } from '#vocabulary/presets';
import type { ProjectDesk } from '#vocabulary/project-desk';
import type { ToolBench, ToolConsentStore } from '#vocabulary/tools';
import type { KeyStore, PeopleStore, UsageStore } from '#vocabulary/stores';

/** Everything the console is made of. */
export interface ConsoleParts {
  readonly desks: PersonDesks;
  readonly keyDesk: KeyDesk;
  readonly projectDesk: ProjectDesk;
  readonly audit: AuditBook & Pick<AuditTrail, 'note'>;
  readonly keyPolicy: KeyPolicy;
  readonly people: PeopleStore;
  readonly keys: Pick<KeyStore, 'search' | 'findAll'>;
  readonly preferences: PreferenceStore;
  readonly personUsage: PersonUsageStore;
  readonly usage: Pick<UsageStore, 'report' | 'reportLargest' | 'reportDays'>;
  /** Refuses what there is none of. */
  readonly readReceipt: (personId: string, requestId: string) => Promise<SignedReceipt>;
  /** How often what was said of the answers of each model. */
  readonly countFeedback: () => Promise<readonly FeedbackCount[]>;
  readonly conversations: Conversations;
  readonly presets: PresetDesk;
  readonly documents: DocumentDesk;
  readonly tools: Pick<ToolBench, 'serversFor'>;
  readonly toolConsents: Pick<ToolConsentStore, 'listForAll' | 'withdraw'>;
  readonly catalogue: () => Catalogue;
  readonly catalogueDesk: CatalogueDesk;
  readonly tryEntry: TryEntry;
  readonly operations: OperationsDesk;
  readonly bulletin: BulletinDesk;
  readonly appearance: AppearanceDesk;
  readonly status: StatusDesk;
  readonly engineHealth: () => readonly EngineHealthReport[];
  /** The settings in effect: by dotted name or nested, secrets masked; and who said so. */
  readonly settings: () => {
    readonly shown: Readonly<Record<string, unknown>>;
    readonly sources: ReadonlyMap<string, string>;
  };
  readonly clock: Clock;
  readonly version: string;
  /** `https://host[:port]`, without a slash at the end. */
  readonly publicUrl: () => string;
  /** The literal address that tunnels lead to, if it is known. */
  readonly serverAddress: () => string | undefined;
  /** The true address of a caller, behind trusted proxies. */
  readonly addressOf: (exchange: Exchange) => string;
  readonly isDirectPermitted: (address: string) => boolean;
  /** How long the browser may keep the session cookie: the absolute lifetime of sessions. */
  readonly sessionLifetimeMs: number;
}

/** How the service is doing, for administrators. */
export interface OperationsDesk {
  overview(): Promise<Overview>;
  history(span: HistorySpan): Promise<History>;
  /** Asks the engines that can be asked first. */
  drift(): Promise<readonly EngineDrift[]>;
  /** Refuses unknown engines, models that it does not serve, and a second test at the same time. */
  testEngine(engineName: string, modelId: string, by: Actor): Promise<EngineTrial>;
}

/** The status page. */
export interface StatusDesk {
  /** Whether somebody who is not signed in may read it. */
  readonly isPublic: boolean;
  report(): Promise<StatusReport>;
}

export interface EngineHealthReport {
  readonly engineName: string;
  readonly state: 'healthy' | 'ejected' | 'untried';
  readonly reason: string | undefined;
}
