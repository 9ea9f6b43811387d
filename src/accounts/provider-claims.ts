import { SignInProblem } from '#vocabulary/person-desks';
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
  /** Each list that is not empty is a rule, and every rule must hold. */
  readonly allowedGroups: readonly string[];
  readonly allowedDomains: readonly string[];
  /** When not empty, these groups decide at every sign-in who is an administrator. */
  readonly adminGroups: readonly string[];
}

export interface ClaimedPerson {
  readonly subject: string;
  readonly name: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** Undefined when the provider has no say in it. */
  readonly role: PersonRole | undefined;
}

/** Reads who it is, and refuses those who may not enter. */
export function readClaims(
  provider: ProviderDefinition,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): ClaimedPerson {
  const email = readText(claims, provider.claims.email);
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new SignInProblem('not_permitted');
  const groups = readGroups(claims, provider.claims.groups);
  const isEmailVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase();

  const hasGroup =
    provider.allowedGroups.length === 0 || provider.allowedGroups.some((group) => groups.has(group));
  // An address nobody checked proves no membership of its domain.
  const hasDomain =
    provider.allowedDomains.length === 0 ||
    (isEmailVerified && provider.allowedDomains.some((allowed) => allowed.toLowerCase() === domain));
  if (!hasGroup || !hasDomain) throw new SignInProblem('not_permitted', undefined, email);

  const isAdministrator = provider.adminGroups.some((group) => groups.has(group));
  return {
    subject,
    name: (readText(claims, provider.claims.name) ?? email.slice(0, email.indexOf('@'))).slice(0, 120),
    email: email.slice(0, 254),
    isEmailVerified,
    role: provider.adminGroups.length === 0 ? undefined : isAdministrator ? 'administrator' : 'person',
  };
}

function readText(claims: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const value = readPath(claims, path);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function readGroups(claims: Readonly<Record<string, unknown>>, path: string): ReadonlySet<string> {
  const value = readPath(claims, path);
  if (typeof value === 'string') return new Set([value]);
  return new Set(Array.isArray(value) ? value.filter((group) => typeof group === 'string') : []);
}

/** A claim may be called by a name with dots in it (a URL), so the whole path is tried first. */
function readPath(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
