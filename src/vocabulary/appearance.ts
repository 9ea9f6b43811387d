import type { Actor } from './audit.ts';

/** What makes the house look like one's own. */
export interface Appearance {
  readonly name: string;
  /** `#rrggbb`; the page makes readable shades of it for both themes. Undefined: verdigris. */
  readonly accent: string | undefined;
  /** Below the name on the sign-in page, and below its form; empty: the usual words. */
  readonly signInLead: string;
  readonly signInHelp: string;
  readonly logo: Logo | undefined;
}

export interface Logo {
  readonly type: LogoType;
  readonly base64: string;
  /** The beginning of its digest: changes when it does. */
  readonly version: string;
}

export type LogoType = 'image/png' | 'image/svg+xml';

export type AppearanceChange = Partial<Omit<Appearance, 'logo'>>;

export interface AppearanceDesk {
  /** As it was at most so long ago, two seconds if not said. Never rejects: without a database the house has its own look. */
  read(maxAgeMs?: number): Promise<Appearance>;
  change(change: AppearanceChange, by: Actor): Promise<Appearance>;
  /** Refuses what is no picture, too large, or could do more than be looked at. Undefined takes it away. */
  setLogo(
    picture: { readonly type: LogoType; readonly bytes: Buffer } | undefined,
    by: Actor,
  ): Promise<Appearance>;
}
