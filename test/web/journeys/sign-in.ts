import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { House } from '../house.ts';

export const signInJourneys = {
  'a person of the organisation signs in at its provider, and out at both': async (house: House) => {
    await house.provider.tell({
      kind: 'accounts',
      accounts: { grace: { name: 'Grace Hopper', groups: ['staff'] }, guest: { groups: ['visitors'] } },
    });
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
    await people.goto('/administration');
    await people.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await people.getByRole('menuitem', { name: 'Disable' }).click();
    await people.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
    // Her open window closes by itself.
    await page.getByRole('link', { name: 'Continue with Campus account' }).click();
    await page.getByRole('heading', { name: 'Your account is disabled' }).waitFor();
    await people.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await people.getByRole('menuitem', { name: 'Enable' }).click();
    await people.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('link', { name: 'Continue with Campus account' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await Promise.all([office.close(), context.close()]);
  },

  'an invitation lets one person in': async (house: House) => {
    const office = await house.visitSignedIn();
    const page = await office.newPage();
    await page.goto('/administration/invitations');
    const invite = async (email: string) => {
      await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
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
    assert.equal(await door.getByRole('textbox', { name: 'E-mail' }).inputValue(), 'joan@example.org');
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
    await closed.getByRole('textbox', { name: 'E-mail' }).fill('joan@example.org');
    await closed.getByLabel('Password').fill('eight bombes and a banbury');
    await closed.getByRole('button', { name: 'Sign in' }).click();
    await closed.getByText('What would you like to know, Joan?').waitFor();
    await Promise.all([office.close(), outside.close(), late.close()]);
  },
};

/** The pages of the provider: a login form, and a question whether it may tell us who it is. */
async function signInAtProvider(page: Page, account: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(account);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
