import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Claims by subject; null for somebody who was removed. */
export type Accounts = Readonly<Record<string, object | null>>;

export type ProviderMessage =
  | { readonly kind: 'client'; readonly url: string; readonly name?: string }
  | { readonly kind: 'accounts'; readonly accounts: Accounts }
  | { readonly kind: 'lie'; readonly about: string };

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  tell(message: ProviderMessage): Promise<void>;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const child: ChildProcess = fork(fileURLToPath(new URL('./provider-process.ts', import.meta.url)), {
    silent: true,
  });
  const [issuer] = (await once(child, 'message')) as [string];
  return {
    issuer,
    async tell(message) {
      const told = once(child, 'message');
      child.send(message);
      await told;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** A person at the provider's own pages: follows redirects there, signs in and agrees. Ends at the way back. */
export async function signInAtProvider(
  url: string,
  account: string,
  act: 'agree' | 'cancel' = 'agree',
): Promise<URL> {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  let next: { url: URL; body?: URLSearchParams } = { url: new URL(url) };
  for (let steps = 0; steps < 20; steps += 1) {
    if (next.url.origin !== origin) return next.url;
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.body !== undefined && { method: 'POST', body: next.body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      next = { url: new URL(location, next.url) };
      continue;
    }
    const page = await response.text();
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (action === undefined) throw new Error(`The provider shows an unknown page: ${page.slice(0, 500)}`);
    if (act === 'cancel') next = { url: new URL(`${action}/abort`, next.url) };
    else
      next = {
        url: new URL(action, next.url),
        body: new URLSearchParams({ prompt, login: account, password: 'x' }),
      };
  }
  throw new Error('The provider leads in circles.');
}
