import type { Gateway } from '#harness/gateway';
import { waitUntil } from '#harness/wait-until';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type IdentityProvider, startIdentityProvider } from '../console/identity-provider.ts';
import { openBrowser } from './browser.ts';
import { startGateways } from './gateways.ts';
import { patienceMs } from './steps.ts';

/** The real program with its pocket model, a real identity provider, and a real browser in front of them. */
export interface House extends AsyncDisposable {
  readonly gateway: Gateway;
  /** Lets in members of the group `staff`. */
  readonly provider: IdentityProvider;
  readonly browser: Browser;
  /** The one-time link that the first start prints. */
  readonly firstLink: string;
  /** A browser of its own: nothing shared with the others. */
  visit(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A browser in which the operator is signed in; the first one uses the link. */
  visitSignedIn(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Sentences about scripts, styles or pictures that the content security policy had to stop, and page errors. */
  readonly complaints: string[];
}

export async function openHouse(env: Readonly<Record<string, string>> = {}): Promise<House> {
  const provider = await startIdentityProvider();
  const [gateway, browser] = await Promise.all([
    startGateways({ listen: '127.0.0.1:0', signIn: signInWith(provider) }, env),
    openBrowser(),
  ]);
  await provider.tell({ kind: 'client', url: gateway.url });
  const complaints: string[] = [];
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
  const visit = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({
      baseURL: gateway.url,
      locale: 'en-GB',
      // What moves is waited for in vain: on a slow machine the old thing may still leave as the new one comes.
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(patienceMs);
    context.on('page', (page) => {
      listenForComplaints(page, complaints);
      if (slowdown > 1) void slowDown(page);
    });
    return context;
  };
  const firstLink = await waitUntil('the first start prints a link', () =>
    Promise.resolve(/https?:\S+#link=\S+/.exec(gateway.logs())?.[0]),
  );
  return {
    gateway,
    provider,
    browser,
    firstLink,
    complaints,
    visit,
    async visitSignedIn(options = {}) {
      if (signedIn === undefined) {
        const context = await visit();
        const page = await context.newPage();
        await page.goto(firstLink);
        await page.getByRole('button', { name: 'Not now' }).click();
        await page.getByRole('textbox', { name: 'Message' }).waitFor();
        signedIn = await context.storageState();
        await context.close();
      }
      return await visit({ storageState: signedIn, ...options });
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await gateway.stop();
      await provider[Symbol.asyncDispose]();
    },
  };
}

function signInWith({ issuer }: IdentityProvider): object {
  const client = { clientId: 'gatehouse', clientSecret: 'a secret between two services' };
  return {
    providers: [{ name: 'campus', label: 'Campus account', issuer, ...client, allowedGroups: ['staff'] }],
  };
}

/** How many times slower the pages' processor is, to find journeys that hold on fast machines alone. */
const slowdown = Number(process.env['GATEHOUSE_SLOWDOWN'] ?? 1);

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

/** Of the content security policy, or of what a part of the page broke on, which its boundary catches and writes. */
const complaint = /content security policy|refused to|^\w*Error\b/i;

function listenForComplaints(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (complaint.test(message.text())) complaints.push(message.text());
  });
}
