import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import type { House } from '../house.ts';

export const signInJourneys = {
  'a person of the organisation signs in at its provider, and out at both': async (house: House) => {
    await house.provider.tell(knownAtProvider);
    const context = await house.visit();
    const page = await context.newPage();
    // Where somebody wanted to go is where they arrive.
    await page.goto('/usage');
    await page.getByRole('link', { name: 'Continue with Campus account' }).click();
    await signInAtProvider(page, 'grace');
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByRole('button', { name: /User menu/ }).click();
    await page.getByText('grace@example.org').first().waitFor();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('Signs in with').waitFor();
    assert.match(await page.getByRole('main').innerText(), /Signs in with\s+Campus account/);

    await page.getByRole('button', { name: /User menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('link', { name: 'Continue with Campus account' }).waitFor();
    assert.equal(page.url(), `${house.gateway.url}/sign-in`);
    await page.goto('/usage');
    await page.getByRole('link', { name: 'Continue with Campus account' }).click();
    // The provider has forgotten her too: it asks again.
    await page.getByPlaceholder('Enter any login').waitFor();
    await context.close();
  },

  'whoever may not enter is told why and as whom, and can come as somebody else': async (house: House) => {
    await house.provider.tell(knownAtProvider);
    const context = await house.visit();
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('link', { name: 'Continue with Campus account' }).click();
    await signInAtProvider(page, 'guest');
    await page.getByRole('heading', { name: 'You may not enter yet' }).waitFor();
    await page.getByText('You came as guest@example.org.').waitFor();
    // The provider still knows the guest; without being asked anew, that door leads to the same wall.
    await page.getByRole('link', { name: 'Use another account' }).click();
    await signInAtProvider(page, 'grace');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();

    const office = await house.visitSignedIn();
    const people = await office.newPage();
    await people.goto('/administration/people');
    await people.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await people.getByRole('menuitem', { name: 'Disable' }).click();
    await people.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
    // Her open window closes by itself, and says why.
    await page.getByRole('heading', { name: 'Your account is disabled' }).waitFor();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('link', { name: 'Continue with Campus account' }).click();
    await page.getByRole('heading', { name: 'Your account is disabled' }).waitFor();
    await people.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await people.getByRole('menuitem', { name: 'Enable' }).click();
    await people.locator('span', { hasText: /^Disabled$/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('link', { name: 'Continue with Campus account' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await Promise.all([office.close(), context.close()]);
  },

  'whoever comes by a link is led to a password, and hears later what others did': async (house: House) => {
    const { gateway } = house;
    const command = (...args: string[]) =>
      execFileSync(process.execPath, ['bin/gatehouse.js', ...args], {
        env: {
          ...process.env,
          GATEHOUSE_DATA_DIR: gateway.dataDir,
          GATEHOUSE_SETTINGS: gateway.settingsFile,
          GATEHOUSE_PUBLIC_URL: gateway.url,
        },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const context = await house.visit();
    const page = await context.newPage();
    const link = command('people', 'create', 'ida@example.org', '--name', 'Ida');
    await page.goto(link);
    await page.getByRole('heading', { name: 'Set a password' }).waitFor();
    assert.match(await page.getByRole('main').innerText(), /people sign-in-link ida@example\.org/);
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();

    // The same link once more leads a person who is still signed in to their chat, and nobody else anywhere.
    await page.goto(link);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    assert.equal(page.url(), `${gateway.url}/`);
    const elsewhere = await house.visit();
    const door = await elsewhere.newPage();
    await door.goto(link);
    await door.getByRole('alert').getByText('was used before').waitFor();
    await elsewhere.close();

    command('people', 'make-administrator', 'ida@example.org');
    await page.reload();
    const notice = page.getByRole('region', { name: 'About your account' });
    await notice.getByText('Role changed to Administrator').waitFor();
    await notice.getByRole('link', { name: 'See activity' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    for (const entry of ['Password changed', 'Signed in with a link that', 'Account created']) {
      await page.getByRole('listitem').getByText(entry).first().waitFor();
    }
    await notice.getByRole('button', { name: 'I have seen it' }).click();
    await notice.waitFor({ state: 'detached' });
    await context.close();
  },

  'an invitation lets one person in': async (house: House) => {
    const office = await house.visitSignedIn();
    const page = await office.newPage();
    await page.goto('/administration/invitations');
    const invite = async (email: string) => {
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(email);
      await page.getByRole('button', { name: 'Make a link' }).click();
      await page.getByText(email).last().waitFor();
      return await page.getByLabel('Invitation link, shown once').inputValue();
    };
    const link = await invite('joan@example.org');

    const outside = await house.visit();
    const door = await outside.newPage();
    await door.goto(link);
    await door.getByText('has invited you').waitFor();
    await door.reload();
    await door.getByRole('textbox', { name: 'Name' }).fill('Joan Clarke');
    assert.equal(
      await door.getByRole('textbox', { name: 'E-mail', exact: true }).inputValue(),
      'joan@example.org',
    );
    await door.getByLabel('Password').fill('eight bombes and a banbury');
    await door.getByRole('button', { name: 'Enter' }).click();
    await door.getByText('What would you like to know, Joan?').waitFor();
    assert.equal(door.url(), `${house.gateway.url}/`);
    await door.goto('/sign-in');
    await door.getByRole('textbox', { name: 'Message' }).waitFor();
    await door.goto('/administration');
    await door.getByText('What would you like to know, Joan?').waitFor();

    const late = await house.visit();
    const closed = await late.newPage();
    await closed.goto(link);
    await closed.getByRole('heading', { name: 'This invitation is closed' }).waitFor();
    const withdrawn = await invite('late@example.org');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'late@example.org' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByText('revoked').waitFor();
    await closed.goto('about:blank');
    await closed.goto(withdrawn);
    await closed.getByRole('heading', { name: 'This invitation is closed' }).waitFor();
    await closed.getByRole('link', { name: 'I have an account already' }).click();
    await closed.getByRole('textbox', { name: 'E-mail', exact: true }).fill('joan@example.org');
    await closed.getByLabel('Password').fill('eight bombes and a banbury');
    await closed.getByRole('button', { name: 'Sign in' }).click();
    await closed.getByText('What would you like to know, Joan?').waitFor();
    await Promise.all([office.close(), outside.close(), late.close()]);
  },
};

const knownAtProvider = {
  kind: 'accounts',
  accounts: { grace: { name: 'Grace Hopper', groups: ['staff'] }, guest: { groups: ['visitors'] } },
} as const;

/** The pages of the provider: a login form, and a question whether it may tell us who it is. */
async function signInAtProvider(page: Page, account: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(account);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
