import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  refreshTokenGrant,
  ResponseBodyError,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { SignInProblem } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import type { ProviderDefinition } from './provider-claims.ts';
import type { Transaction } from './provider-transaction.ts';

const timeoutSeconds = 10;
/** Providers change their keys and addresses rarely, but they do. */
const rediscoverAfterMs = 3_600_000;

export interface ProvenClaims {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly idToken: string | undefined;
  /** With which the provider can be asked again; not every provider gives one. */
  readonly refreshToken: string | undefined;
}

export type Renewal =
  | { readonly kind: 'proven'; readonly proven: ProvenClaims }
  /** The provider does not answer for this person any more; why, it does not say. */
  | { readonly kind: 'grant-over' }
  | { readonly kind: 'no-answer'; readonly cause: unknown };

/** Speaks OpenID Connect with one provider: authorization code with PKCE, nothing else. */
export interface ProviderClient {
  authorizationUrl(transaction: Transaction, asksAnew: boolean): Promise<string>;
  /** Checks state, nonce, PKCE, issuer, audience, authorised party, times and signature. Throws SignInProblem. */
  exchange(transaction: Transaction, callbackQuery: string): Promise<ProvenClaims>;
  /** Asks again who this is, without the person. Never throws. */
  renew(refreshToken: string, subject: string): Promise<Renewal>;
  signOutUrl(idToken: string | undefined): Promise<string | undefined>;
}

export function createProviderClient(needs: {
  readonly provider: ProviderDefinition;
  readonly clock: Clock;
  readonly publicUrl: () => string;
}): ProviderClient {
  const { provider, clock } = needs;
  let known: { readonly configuration: Promise<Configuration>; readonly sinceMs: number } | undefined;

  return {
    async authorizationUrl(transaction, asksAnew) {
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri(),
        scope: provider.scopes.join(' '),
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await calculatePKCECodeChallenge(transaction.codeVerifier),
        code_challenge_method: 'S256',
        ...promptOf(asksAnew),
      }).href;
    },

    async exchange(transaction, callbackQuery) {
      const server = await configuration();
      const answer = new URLSearchParams(callbackQuery);
      if (answer.has('error') && answer.get('state') === transaction.state)
        throw new SignInProblem('provider_refused');
      try {
        const tokens = await authorizationCodeGrant(server, new URL(`${redirectUri()}?${callbackQuery}`), {
          pkceCodeVerifier: transaction.codeVerifier,
          expectedState: transaction.state,
          expectedNonce: transaction.nonce,
          idTokenExpected: true,
        });
        const subject = tokens.claims()?.sub;
        if (subject === undefined) throw new SignInProblem('sign_in_not_verified');
        return await readProven(server, tokens, subject);
      } catch (cause) {
        if (cause instanceof SignInProblem) throw cause;
        throw new SignInProblem('sign_in_not_verified', cause);
      }
    },

    async renew(refreshToken, subject) {
      try {
        const server = await configuration();
        const tokens = await refreshTokenGrant(server, refreshToken);
        const proven = await readProven(server, tokens, subject);
        return { kind: 'proven', proven: { ...proven, refreshToken: proven.refreshToken ?? refreshToken } };
      } catch (cause) {
        const isOver = cause instanceof ResponseBodyError && cause.error === 'invalid_grant';
        return isOver ? { kind: 'grant-over' } : { kind: 'no-answer', cause };
      }
    },

    async signOutUrl(idToken) {
      const server = await configuration();
      if (server.serverMetadata().end_session_endpoint === undefined) return undefined;
      return buildEndSessionUrl(server, {
        post_logout_redirect_uri: `${needs.publicUrl()}/sign-in`,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      }).href;
    },
  };

  /** A refresh token that outlives the person's presence is theirs to agree to. */
  function promptOf(asksAnew: boolean): { prompt?: string } {
    const prompts = [
      ...(asksAnew ? ['login'] : []),
      ...(provider.scopes.includes('offline_access') ? ['consent'] : []),
    ];
    return prompts.length === 0 ? {} : { prompt: prompts.join(' ') };
  }

  function redirectUri(): string {
    return `${needs.publicUrl()}/console/sign-in/provider/${provider.name}/callback`;
  }

  async function configuration(): Promise<Configuration> {
    const now = clock.monotonicMs();
    if (known === undefined || now - known.sinceMs > rediscoverAfterMs) {
      known = { configuration: discover(provider), sinceMs: now };
    }
    try {
      return await known.configuration;
    } catch (cause) {
      known = undefined;
      throw new SignInProblem('provider_unreachable', cause);
    }
  }
}

async function readProven(
  server: Configuration,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  subject: string,
): Promise<ProvenClaims> {
  const idClaims = tokens.claims();
  if (idClaims !== undefined && idClaims.sub !== subject) throw new Error('the token is of somebody else');
  const hasUserInfo = server.serverMetadata().userinfo_endpoint !== undefined;
  if (idClaims === undefined && !hasUserInfo) throw new Error('the provider says nothing about the person');
  const userInfo = hasUserInfo ? await fetchUserInfo(server, tokens.access_token, subject) : {};
  return {
    subject,
    claims: mergeClaims(userInfo, idClaims ?? {}),
    idToken: tokens.id_token,
    refreshToken: tokens.refresh_token,
  };
}

/** The token's claims come first. An address and the word that it was checked are taken from one of the two. */
function mergeClaims(
  userInfo: Readonly<Record<string, unknown>>,
  idClaims: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const merged = { ...userInfo, ...idClaims };
  if (!Object.hasOwn(idClaims, 'email')) return { ...merged, email_verified: userInfo['email_verified'] };
  return { ...merged, email_verified: idClaims['email_verified'] };
}

function discover(provider: ProviderDefinition): Promise<Configuration> {
  const issuer = new URL(provider.issuer);
  const isLocal =
    issuer.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(issuer.hostname);
  return discovery(
    issuer,
    provider.clientId,
    undefined,
    provider.clientSecret === '' ? None() : ClientSecretBasic(provider.clientSecret),
    // Without this a token's signature is taken on trust because it came over TLS.
    {
      timeout: timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
    },
  );
}
