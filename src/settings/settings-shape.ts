import type { AppearanceChange } from '#vocabulary/appearance';
import type { Catalogue } from '#vocabulary/catalogue';
import type { LetterLanguage } from '#vocabulary/mail';
import type { ConfiguredSharing } from '#vocabulary/project';
import type { ToolSettings } from '#vocabulary/tools';
import type { ListenAddress } from './address-checks.ts';

/** Everything that can be set, checked and complete. Paths are absolute. */
export interface Settings {
  readonly listen: ListenAddress;
  /** Undefined: `/metrics` is served on the main listener to loopback callers only. */
  readonly metricsListen: ListenAddress | undefined;
  readonly sharedListen: ListenAddress | undefined;
  readonly dataDir: string;
  /** The address of a PostgreSQL database, with its password; undefined: a file in `dataDir`. */
  readonly database: string | undefined;
  /** What the gateways of one database call their service; undefined: nothing that they could know it by. */
  readonly service: string | undefined;
  /** An origin without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Where other gateways reach this one. */
  readonly advertise: string | undefined;
  /** Lower case. */
  readonly hostNames: readonly string[];
  readonly tls: TlsSettings | undefined;
  readonly forwardedHeader: 'X-Forwarded-For' | 'Forwarded';
  /** The part that a reload may change. */
  readonly catalogue: Catalogue;
  readonly limits: LimitSettings;
  readonly sharing: SharingSettings;
  /** Like the catalogue, a reload may change it. */
  readonly projects: ConfiguredSharing;
  /** 0 is off. */
  readonly heartbeatMs: number;
  readonly drainMs: number;
  readonly whenStopping: 'refuse' | 'close';
  readonly restartDrainMs: number;
  readonly log: LogSettings;
  readonly accounting: AccountingSettings;
  readonly keys: KeySettings;
  readonly retention: RetentionSettings;
  readonly responses: {
    readonly keepMs: number;
    readonly ownerBytes: number;
    readonly totalBytes: number;
  };
  /** `auto`, `off` or the id of a model. */
  readonly documents: { readonly embeddings: string };
  readonly receipts: { readonly keep: boolean };
  readonly status: { readonly readers: 'people' | 'everybody' };
  readonly appearance: AppearanceChange;
  /** Undefined: nothing is sent. */
  readonly mail:
    | { readonly server: string; readonly from: string; readonly language: LetterLanguage }
    | undefined;
  readonly audit: { readonly syslog: { readonly host: string; readonly port: number } | undefined };
  /** Like the catalogue, a reload may change it. */
  readonly tools: ToolSettings;
  readonly signIn: SignInSettings;
}

export interface TlsSettings {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly http2: boolean;
}

export interface LimitSettings {
  readonly maxBodyBytes: number;
  readonly totalBufferedBytes: number;
  readonly maxHeaderBytes: number;
  readonly headerTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly slowReaderMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly waitingLine: {
    /** Per pool of engines. */
    readonly maxWaiting: number;
    readonly maxWaitingPerMember: number;
    readonly maxRunningPerMember: number;
    readonly maxWaitMs: number;
  };
  readonly resume: {
    /** 0 is off. */
    readonly longestMs: number;
    readonly streamsPerKey: number;
    readonly bytesPerKey: number;
    readonly totalBytes: number;
  };
  readonly storagePerPersonBytes: number;
  readonly storagePerProjectBytes: number;
  readonly maxDocumentBytes: number;
  readonly documentsTotalBytes: number;
  readonly maxOutputTokens: number;
  readonly maxChoices: number;
  readonly maxTools: number;
  readonly maxPrompts: number;
  readonly maxStopStrings: number;
  readonly maxLogprobs: number;
  readonly maxJsonDepth: number;
  readonly maxJsonValues: number;
  /** 0 is off. */
  readonly engineSilenceMs: number;
}

/** How the service is shared when everybody wants it. */
export interface SharingSettings {
  readonly factors: { readonly input: number; readonly cachedInput: number; readonly output: number };
  readonly backgroundShare: number;
  readonly quantum: number;
  readonly assumedOutputTokens: number;
}

export interface LogSettings {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'auto' | 'json' | 'pretty';
}

export interface AccountingSettings {
  readonly durability: 'written' | 'synced';
  readonly whenUnwritable: 'refuse' | 'serve';
}

export interface KeySettings {
  /** Undefined: keys may live for ever. */
  readonly maxLifetimeMs: number | undefined;
  readonly maxPerPerson: number;
}

export interface RetentionSettings {
  /** Undefined: for ever. */
  readonly chatsMs: number | undefined;
  /** Undefined: for ever. */
  readonly usageMs: number | undefined;
}

export interface SignInSettings {
  readonly hasLocalAccounts: boolean;
  /** Made at the first start. */
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly sessionIdleMs: number;
  readonly sessionLifetimeMs: number;
  readonly recheckMs: number;
  readonly keysRecheckMs: number;
  readonly providers: readonly ProviderSettings[];
}

/** One OpenID Connect provider. */
export interface ProviderSettings {
  readonly name: string;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Empty: no such rule. */
  readonly allowedGroups: readonly string[];
  /** Empty: no such rule. Lower case. */
  readonly allowedDomains: readonly string[];
  readonly trustsEmail: boolean;
  readonly adminGroups: readonly string[];
  readonly claims: { readonly name: string; readonly email: string; readonly groups: string };
}
