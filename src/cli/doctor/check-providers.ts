import type { ProviderSettings } from '#settings';
import { ask } from './ask.ts';
import { type Check, type Finding, ok, type Patient, problem, warning } from './finding.ts';

/** Can people sign in? Discovery, keys, our own credentials and the address to which people come back. */
export const checkProviders: Check = async (patient) => {
  const { providers, hasLocalAccounts } = patient.loaded.settings.signIn;
  if (providers.length === 0) {
    return [
      hasLocalAccounts
        ? ok('sign-in', 'Local accounts only.')
        : problem(
            'sign-in',
            'Nobody can sign in: local accounts are off and there is no provider.',
            'Set signIn.providers, or signIn.localAccounts: true.',
          ),
    ];
  }
  const findings: Finding[] = [];
  for (const provider of providers) findings.push(...(await checkProvider(patient, provider)));
  return findings;
};

interface Metadata {
  readonly issuer?: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly jwks_uri?: string;
  readonly code_challenge_methods_supported?: readonly string[];
}

async function checkProvider(patient: Patient, provider: ProviderSettings): Promise<Finding[]> {
  const about = `sign-in ${provider.name}`;
  const url = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const answer = await ask({ url, followsRedirects: true });
    if (answer.skewMs !== undefined) patient.timesHeard.push({ from: about, skewMs: answer.skewMs });
    const found = answer.json() as Metadata | undefined;
    if (answer.status !== 200 || found?.issuer === undefined)
      return [
        problem(
          about,
          `${url} was answered ${answer.status}, without a description of the provider.`,
          'Correct issuer; the provider shows it in its own documentation.',
        ),
      ];
    if (found.issuer !== provider.issuer)
      return [
        problem(
          about,
          `The provider calls itself ${found.issuer}, the settings call it ${provider.issuer}.`,
          'Write issuer exactly as the provider does, to the last slash.',
        ),
      ];
    const insecure = insecureEndpoint(provider.issuer, found);
    if (insecure !== undefined)
      return [
        problem(
          about,
          `The provider names ${insecure}, which is not https; our secret is not sent there.`,
          'Let the provider know that it is reached over https (Keycloak: KC_HOSTNAME and KC_PROXY_HEADERS).',
        ),
      ];
    const findings = [
      ...pkceFindings(about, found),
      ...(await keyFindings(about, found)),
      ...(await credentialFindings(about, found, provider, returnAddress(patient, provider))),
      ...(await returnFindings(about, found, provider, returnAddress(patient, provider))),
    ];
    return findings.length > 0
      ? findings
      : [ok(about, `${provider.issuer} answers, has keys and knows us as ${provider.clientId}.`)];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [
      problem(
        about,
        `${url}: ${reason}.`,
        'The service must reach the provider. Check the address, the network and the authority of its certificate.',
      ),
    ];
  }
}

/** A provider behind a proxy that does not know of it is the usual reason. */
function insecureEndpoint(issuer: string, found: Metadata): string | undefined {
  const endpoints = [found.token_endpoint, found.authorization_endpoint, found.jwks_uri];
  return issuer.startsWith('https:')
    ? endpoints.find((endpoint) => endpoint !== undefined && !endpoint.startsWith('https:'))
    : undefined;
}

function returnAddress({ loaded, service }: Patient, provider: ProviderSettings): string {
  const base = loaded.settings.publicUrl ?? service?.url ?? 'http://localhost';
  return `${base}/console/sign-in/provider/${provider.name}/callback`;
}

function pkceFindings(about: string, found: Metadata): Finding[] {
  const methods = found.code_challenge_methods_supported;
  if (methods === undefined || methods.includes('S256')) return [];
  return [
    problem(
      about,
      'The provider does not offer PKCE with S256, which we always use.',
      'Turn it on at the provider.',
    ),
  ];
}

async function keyFindings(about: string, found: Metadata): Promise<Finding[]> {
  const answer = await ask({ url: found.jwks_uri ?? '' });
  const { keys } = (answer.json() ?? {}) as { keys?: unknown[] };
  if (answer.status === 200 && Array.isArray(keys) && keys.length > 0) return [];
  return [
    problem(
      about,
      `The keys of the provider cannot be read at ${found.jwks_uri} (${answer.status}).`,
      'Nobody can sign in until they can.',
    ),
  ];
}

/** A made-up code shows whether our name and secret are right: the code is refused only after they were accepted. */
async function credentialFindings(
  about: string,
  found: Metadata,
  provider: ProviderSettings,
  redirectUri: string,
): Promise<Finding[]> {
  const basic = `${encodeURIComponent(provider.clientId)}:${encodeURIComponent(provider.clientSecret)}`;
  const answer = await ask({
    url: found.token_endpoint ?? '',
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'gatehouse-doctor',
      redirect_uri: redirectUri,
      code_verifier: 'gatehouse-doctor-asks-whether-the-client-is-known',
    }).toString(),
  });
  const { error } = (answer.json() ?? {}) as { error?: unknown };
  if (error === 'invalid_client' || error === 'unauthorized_client' || answer.status === 401)
    return [
      problem(
        about,
        `The provider does not accept ${provider.clientId} with the secret in the settings.`,
        'Copy clientId and clientSecret from the provider again.',
      ),
    ];
  return [];
}

async function returnFindings(
  about: string,
  found: Metadata,
  provider: ProviderSettings,
  redirectUri: string,
): Promise<Finding[]> {
  const url = new URL(found.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: provider.scopes.join(' '),
    state: 'gatehouse-doctor',
    nonce: 'gatehouse-doctor',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const answer = await ask({ url: url.href });
  const sentBack = answer.header('location') ?? '';
  const refused = /[?&]error=([a-z_]+)/.exec(sentBack)?.[1];
  if (refused !== undefined && sentBack.startsWith(redirectUri) && refused !== 'login_required')
    return [
      problem(
        about,
        `The provider refuses to begin a sign-in: ${refused}.`,
        'Compare scopes and the kind of the client with what the provider allows.',
      ),
    ];
  if (answer.status < 400) return [];
  return [
    warning(
      about,
      `The provider answers ${answer.status} when a sign-in begins.`,
      `Register this address for coming back, to the letter: ${redirectUri}`,
    ),
  ];
}
