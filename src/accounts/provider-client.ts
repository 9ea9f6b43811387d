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
} from 'openid-client';
import { SignInProblem } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import type { ProviderDefinition } from './provider-claims.ts';
import type { Transaction } from './sealed-transaction.ts';

const timeoutSeconds = 10;
/** Providers change their keys and addresses rarely, but they do. */
const rediscoverAfterMs = 3_600_000;

export interface ProvenClaims {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly idToken: string;
}

/** Speaks OpenID Connect with one provider: authorization code with PKCE, nothing else. */
export interface ProviderClient {
  authorizationUrl(transaction: Transaction, asksAnew: boolean): Promise<string>;
  /** Checks state, nonce, PKCE, issuer, audience, authorised party, times and signature. Throws SignInProblem. */
  exchange(transaction: Transaction, callbackQuery: string): Promise<ProvenClaims>;
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
        ...(asksAnew && { prompt: 'login' }),
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
        const idClaims = tokens.claims();
        if (idClaims === undefined || tokens.id_token === undefined)
          throw new SignInProblem('sign_in_not_verified');
        const hasUserInfo = server.serverMetadata().userinfo_endpoint !== undefined;
        const userInfo = hasUserInfo ? await fetchUserInfo(server, tokens.access_token, idClaims.sub) : {};
        return { subject: idClaims.sub, claims: { ...userInfo, ...idClaims }, idToken: tokens.id_token };
      } catch (cause) {
        if (cause instanceof SignInProblem) throw cause;
        throw new SignInProblem('sign_in_not_verified', cause);
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
