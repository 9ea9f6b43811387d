import type { PersonRole } from '#vocabulary/stores';

/** How one identity provider is used. Claim names may be paths: `realm_access.roles`. */
export interface ProviderDefinition {
  /** Part of the callback address: `/console/sign-in/provider/<name>/callback`. */
  readonly name: string;
  /** On the button. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly claims: { readonly name: string; readonly email: string; readonly groups: string };
  /** Set when people cannot choose the address that this provider tells, so that it needs no `email_verified`. */
  readonly trustsEmail: boolean;
  /** Each list that is not empty is a rule, and every rule must hold. */
  readonly allowedGroups: readonly string[];
  readonly allowedDomains: readonly string[];
  /** When not empty, these groups decide at every check who is an administrator. */
  readonly adminGroups: readonly string[];
}

/** What a provider says of somebody, measured by the settings. */
export interface ClaimedPerson {
  readonly subject: string;
  readonly name: string;
  /** Only an address that the provider has checked. */
  readonly verifiedEmail: string | undefined;
  /** For a page that says who was refused. */
  readonly account: string;
  readonly isPermitted: boolean;
  /** Undefined when the provider has no say in it. */
  readonly role: PersonRole | undefined;
  readonly groups: ReadonlySet<string>;
}

type Claims = Readonly<Record<string, unknown>>;

export function readClaims(provider: ProviderDefinition, subject: string, claims: Claims): ClaimedPerson {
  const email = readText(claims, provider.claims.email);
  const verifiedEmail = email !== undefined && isVerified(provider, email, claims) ? email : undefined;
  const groups = readGroups(claims, provider.claims.groups);
  const name = readText(claims, provider.claims.name) ?? email?.slice(0, email.indexOf('@')) ?? subject;
  const isAdministrator = provider.adminGroups.some((group) => groups.has(group));
  return {
    subject,
    name: name.slice(0, 120),
    verifiedEmail,
    account: (email ?? name).slice(0, 254),
    isPermitted: isInGroup(provider, groups) && isInDomain(provider, verifiedEmail),
    role: provider.adminGroups.length === 0 ? undefined : isAdministrator ? 'administrator' : 'person',
    groups,
  };
}

/** `email_verified` speaks of the claim `email` and of no other one that may hold an address. */
function isVerified(provider: ProviderDefinition, email: string, claims: Claims): boolean {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) return false;
  if (provider.trustsEmail) return true;
  const verdict = claims['email_verified'];
  return provider.claims.email === 'email' && (verdict === true || verdict === 'true');
}

function isInGroup({ allowedGroups }: ProviderDefinition, groups: ReadonlySet<string>): boolean {
  return allowedGroups.length === 0 || allowedGroups.some((group) => groups.has(group));
}

/** An address nobody checked proves no membership of its domain. */
function isInDomain({ allowedDomains }: ProviderDefinition, verifiedEmail: string | undefined): boolean {
  if (allowedDomains.length === 0) return true;
  const domain = verifiedEmail?.slice(verifiedEmail.indexOf('@') + 1).toLowerCase();
  return allowedDomains.some((allowed) => allowed.toLowerCase() === domain);
}

function readText(claims: Claims, path: string): string | undefined {
  const value = readPath(claims, path);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function readGroups(claims: Claims, path: string): ReadonlySet<string> {
  const value = readPath(claims, path);
  if (typeof value === 'string') return new Set([value]);
  return new Set(Array.isArray(value) ? value.filter((group) => typeof group === 'string') : []);
}

/** A claim may be called by a name with dots in it (a URL), so the whole path is tried first. */
function readPath(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
