import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openHouse, type House } from './house.ts';
import { weatherResult, weatherTool } from '../clients/questions.ts';
import { docx, pdf, protectedPdf } from './made-files.ts';
import { answerIsOver, ask, bringRichChat, chooseModel, modelsAreReady } from './steps.ts';

/** `npm run screenshots`: every page and state, in both themes, on a desk and on a phone, for anybody to look at. */
const folder = new URL('../../screenshots/', import.meta.url).pathname;

const places = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
} satisfies Record<string, BrowserContextOptions>;

const pages = [
  ['temporary-chat', '/temporary'],
  ['appearance', '/settings'],
  ['chatting', '/settings/chatting'],
  ['account', '/settings/account'],
  ['devices', '/settings/account/devices'],
  ['activity', '/settings/account/activity'],
  ['keys', '/settings/account/keys'],
  ['presets', '/settings/presets'],
  ['shared-links', '/settings/links'],
  ['your-chats', '/settings/data'],
  ['archived', '/archived'],
  ['connect', '/connect'],
  ['usage', '/usage'],
  ['overview', '/administration'],
  ['status', '/status'],
  ['status-and-incidents', '/administration/status'],
  ['announcements', '/administration/announcements'],
  ['appearance', '/administration/appearance'],
  ['people', '/administration/people'],
  ['everybodys-usage', '/administration/usage'],
  ['projects', '/administration/projects'],
  ['project', '/administration/projects/everyone'],
  ['all-keys', '/administration/keys'],
  ['audit', '/administration/audit'],
  ['invitations', '/administration/invitations'],
  ['models-and-engines', '/administration/models'],
  ['settings-in-effect', '/administration/settings'],
  ['missing-page', '/nowhere'],
] as const;

await using house = await openHouse();
await mkdir(folder, { recursive: true });
await modelsAreReady(house);
const { invitation, ...chats } = await prepare(house);

for (const [place, options] of Object.entries(places)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await house.visitSignedIn({ ...options, colorScheme });
    const page = await context.newPage();
    const shoot = async (name: string) => {
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(folder, `${name}-${place}-${colorScheme}.png`) });
    };
    await shootPages(page, shoot);
    await shootStates(page, shoot, place);
    await context.close();
    const stranger = await house.visit({ ...options, colorScheme });
    const signIn = await stranger.newPage();
    for (const [name, path] of doorPages(invitation)) {
      await signIn.goto(path);
      await signIn.getByRole('heading', { level: 1 }).waitFor();
      await signIn.waitForTimeout(250);
      await signIn.screenshot({ path: join(folder, `${name}-${place}-${colorScheme}.png`) });
      await signIn.goto('about:blank');
    }
    await stranger.close();
  }
}
/** What people see before they are inside. */
function doorPages(openInvitation: string): [string, string][] {
  return [
    ['sign-in', '/sign-in'],
    ['sign-in-problem', '/sign-in?problem=provider_unreachable'],
    ['sign-in-refused', '/sign-in?problem=not_permitted#account=guest%40example.org'],
    ['sign-in-disabled', '/sign-in?problem=account_disabled#account=grace%40example.org'],
    ['invitation', openInvitation],
    ['invitation-closed', '/invitation#used-up'],
  ];
}

if (house.complaints.length > 0) process.stderr.write(`${house.complaints.join('\n')}\n`);

interface Prepared {
  readonly full: string;
  readonly rich: string;
  readonly tools: string;
  readonly invitation: string;
}

/** Something to look at: real answers, an imported chat with every kind of content, keys. */
async function prepare(open: House): Promise<Prepared> {
  const context = await open.visitSignedIn(places.desk);
  const page = await context.newPage();
  await page.goto('/');
  await ask(page, 'Why is the sky blue?');
  await answerIsOver(page);
  await ask(page, 'Write a Python function that checks whether a number is even.');
  await answerIsOver(page);
  const full = new URL(page.url()).pathname;
  await bringRichChat(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'How waves add up' }).click();
  await page.waitForURL('**/chat/*');
  const rich = new URL(page.url()).pathname;
  for (const name of ['Notebook', 'Weather station']) {
    await page.goto('/settings/account/keys');
    await page.getByRole('button', { name: 'Create new secret key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    await keepKey(page);
  }
  await page.getByRole('button', { name: 'Actions for key Notebook' }).click();
  await page.getByRole('menuitem', { name: 'Rotate key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  await keepKey(page);
  const tools = await useTool(page);
  await page.goto('/administration/invitations');
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('joan@example.org');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const invitation = await page.getByLabel('Invitation link, shown once').inputValue();
  await context.close();
  return { full, rich, tools, invitation };
}

async function keepKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Copy key' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
}

async function useTool(page: Page): Promise<string> {
  await page.goto('/');
  await chooseModel(page, 'beta-4-scout');
  await page.getByRole('button', { name: 'Instructions and parameters' }).click();
  await page.getByRole('textbox', { name: 'Tools' }).fill(JSON.stringify([weatherTool]));
  await page.getByRole('button', { name: 'Use in this chat' }).click();
  await ask(page, 'What is the weather in Boston in celsius?');
  await page.getByRole('textbox', { name: 'Result of get_current_weather' }).fill(weatherResult);
  await page.getByRole('button', { name: 'Give the result' }).click();
  await page.locator('article[data-state=complete]').nth(1).waitFor();
  return new URL(page.url()).pathname;
}

async function shootPages(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await shoot('new-chat');
  await page.goto(chats.full);
  await page.getByRole('article').first().waitFor();
  await shoot('chat');
  await page.goto(chats.rich);
  await page.getByRole('article').first().waitFor();
  await page.waitForTimeout(400);
  await shoot('rich-answer');
  await page.getByTestId('messages').evaluate((element) => element.scrollTo(0, 0));
  await shoot('rich-answer-top');
  await page.goto(chats.tools);
  await page.getByRole('article', { name: 'Result' }).waitFor();
  await shoot('tools');
  for (const [name, path] of pages) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await shoot(name);
  }
}

async function shootDocuments(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.goto('/');
  const files = [docx('inventory.docx'), pdf('scan.pdf', ['']), protectedPdf('locked.pdf')];
  await page.getByTestId('attach').setInputFiles(files);
  await page.locator('form [data-state=failed]').nth(1).waitFor();
  await shoot('attached-files');
  await page.getByRole('textbox', { name: 'Message' }).fill('How many lanterns are there?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = await answerIsOver(page);
  await page
    .getByRole('button', { name: /inventory\.docx/ })
    .first()
    .click();
  await page.getByTestId('document-page').getByText('Lanterns').waitFor();
  await shoot('document-panel');
  await page.getByRole('button', { name: 'Close the document' }).click();
  await answer.getByRole('button', { name: 'What was sent to the model' }).click();
  await shoot('what-was-sent');
}

async function shootStates(page: Page, shoot: (name: string) => Promise<void>, place: string): Promise<void> {
  await shootDocuments(page, shoot);
  await page.goto(chats.full);
  await page.getByRole('button', { name: /^Model:/ }).click();
  await shoot('model-picker');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Tokens and speed' }).last().click();
  await shoot('tokens-and-speed');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Share' }).click();
  await shoot('share');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Instructions and parameters' }).click();
  await shoot('parameters');
  await page.keyboard.press('Escape');
  if (place === 'phone') await page.getByRole('button', { name: 'Show sidebar' }).click();
  await page.getByRole('button', { name: /^User menu/ }).click();
  await shoot('user-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('even');
  await page.getByText(/result/).waitFor();
  await shoot('search');
  await page.keyboard.press('Enter');
  await page.locator('[data-hit]').waitFor();
  await page.waitForTimeout(300);
  await shoot('search-hit');
  await page.goto('/chat/no-such-chat');
  await page.getByText('There is nothing here').waitFor();
  await shoot('missing-chat');
  await page.goto('/settings/account/keys');
  await page.getByRole('button', { name: 'Create new secret key' }).click();
  await shoot('create-key');
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByRole('button', { name: 'Copy key' }).waitFor();
  await shoot('new-key');
  await keepKey(page);
  await page.goto('/');
  await chooseModel(page, 'alpha-R1');
  await page
    .getByRole('textbox', { name: 'Message' })
    .fill('A shirt costs 40 dollars and is 25 percent off. What is the new price?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('And with a second shirt at half the price?');
  await page.getByRole('button', { name: 'Send after this answer' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Explain it to a child.');
  await shoot('queued');
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await page.getByRole('list', { name: 'Questions that are sent next' }).waitFor({ state: 'detached' });
  await answerIsOver(page);
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Message' }).fill('What is the capital of Norway?');
  await page.context().setOffline(true);
  await page.getByText('You are offline').first().waitFor();
  await shoot('offline');
  await page.context().setOffline(false);
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await page.route('**/console/models', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { models: { health: string }[] };
    for (const model of body.models) model.health = 'down';
    await route.fulfill({ response, json: body });
  });
  await page.reload();
  await page.getByText('does not answer at the moment').waitFor();
  await shoot('engine-down');
  await page.unroute('**/console/models');
  await page.route('**/console/chats/*', () => new Promise(() => undefined));
  await page.goto(chats.full);
  await page.waitForTimeout(500);
  await shoot('loading');
  await page.unroute('**/console/chats/*');
}
