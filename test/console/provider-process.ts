import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, decodeJwt, type JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';
import type { Accounts, ProviderMessage } from './identity-provider.ts';

/** A certified OpenID provider in a process of its own, which lies in its tokens when it is told to. */
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const stranger = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(privateKey)), kid: 'the-key', alg: 'RS256', use: 'sig' };
let accounts: Accounts = {};
let lie = 'none';

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.on('message', (message: ProviderMessage) => {
    if (message.kind === 'accounts') ({ accounts } = message);
    if (message.kind === 'lie') lie = message.about;
    if (message.kind === 'client') {
      const redirectUri = `${message.url}/console/sign-in/provider/${message.name ?? 'campus'}/callback`;
      server.on('request', createProvider(issuer, message.url, redirectUri).callback());
    }
    process.send?.('done');
  });
  process.send?.(issuer);
});

function createProvider(issuer: string, clientUrl: string, redirectUri: string): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'gatehouse',
        client_secret: 'a secret between two services',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        post_logout_redirect_uris: [`${clientUrl}/sign-in`],
      },
    ],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name', 'upn'] },
    findAccount: (_context: unknown, id: string) =>
      accounts[id] === null
        ? undefined
        : {
            accountId: id,
            claims: () => ({
              sub: id,
              name: id,
              email: `${id}@example.org`,
              email_verified: true,
              ...accounts[id],
            }),
          },
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key for the cookies of a test'] },
  });
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path === '/token' && lie !== 'none' && body?.id_token !== undefined) {
      context.body = { ...body, id_token: await forge(decodeJwt(body.id_token)) };
    }
  });
  return provider;
}

function forge(claims: JWTPayload): Promise<string> {
  const lies: Record<string, object> = {
    audience: { aud: 'another-service' },
    issuer: { iss: 'https://other.example' },
    address: { email: 'victim@example.org' },
    nonce: { nonce: 'of another sign-in' },
    party: { aud: ['gatehouse', 'another-service'], azp: 'another-service' },
    time: { exp: 1 },
  };
  const signer = new SignJWT({ ...claims, ...lies[lie] }).setProtectedHeader({
    alg: 'RS256',
    kid: 'the-key',
  });
  return signer.sign(lie === 'signature' ? stranger.privateKey : privateKey);
}
