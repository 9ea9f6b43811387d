import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startGateway, type Gateway } from '#harness/gateway';
import { waitUntil } from '#harness/wait-until';
import { SMTPServer } from 'smtp-server';
import { Visitor } from './visitor.ts';

/** A real mail server that keeps what it is given, and refuses `nobody@`. */
interface Letter {
  readonly to: string;
  readonly text: string;
}

const letters: Letter[] = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, answer) {
    answer(address.startsWith('nobody@') ? new Error('No such mailbox') : undefined);
  },
  onData(stream, { envelope }, answer) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      letters.push({ to: envelope.rcptTo[0]?.address ?? '', text: Buffer.concat(chunks).toString() });
      answer();
    });
  },
});

let gateway: Gateway;
let operator: Visitor;

before(async () => {
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
  const { port } = mailServer.server.address() as AddressInfo;
  gateway = await startGateway({
    settings: {
      appearance: { name: 'Physics models' },
      mail: { server: `smtp://127.0.0.1:${port}`, from: 'Gatehouse <gatehouse@example.org>' },
      signIn: { adminEmail: 'op@example.org', adminPassword: 'a long password' },
    },
  });
  operator = new Visitor(gateway.url);
  await operator.ok('POST /console/sign-in/password', {
    body: { email: 'op@example.org', password: 'a long password' },
  });
});

after(async () => {
  await gateway.stop();
  mailServer.close();
});

test('invitations go out by e-mail, and the list tells of each what became of it', async () => {
  const emails = ['ada@example.org', 'nobody@example.org'];
  const { invited, areSent } = await operator.ok('POST /console/administration/invitations/many', {
    body: { emails, role: 'person', expiresInDays: 7 },
  });
  assert.equal(areSent, true);
  const fates = await waitUntil('both letters have a fate', async () => {
    const { invitations } = await operator.ok('GET /console/administration/invitations');
    const found = new Map(invitations.map(({ email, letter }) => [email, letter]));
    return [...found.values()].includes('waiting') ? undefined : found;
  });
  assert.deepEqual([fates.get('ada@example.org'), fates.get('nobody@example.org')], ['sent', 'failed']);
  const letter = letterTo('ada@example.org');
  assert.match(letter, /^From: Gatehouse <gatehouse@example\.org>$/m);
  assert.match(letter, /^Subject: You are invited to Physics models$/m);
  const link = invited.find(({ email }) => email === 'ada@example.org')?.url ?? '';
  assert.equal(linkIn(letter), link);
  const ada = new Visitor(gateway.url);
  await ada.ok('GET /console/session');
  const token = link.slice(link.indexOf('#') + 1);
  const newcomer = { name: 'Ada', email: 'ada@example.org', password: 'the first password' };
  assert.equal(
    (await ada.ok('POST /console/invitation/accept', { body: { token, ...newcomer } })).person?.name,
    'Ada',
  );
});

test('the name in the settings file wins, and is changed there', async () => {
  await operator.refused('PATCH /console/administration/appearance', 409, 'conflict', {
    body: { name: 'Ours' },
  });
  const rest = { name: 'Physics models', signInLead: 'For the whole building.' };
  const look = await operator.ok('PATCH /console/administration/appearance', { body: rest });
  assert.deepEqual([look.name, look.signInLead], [rest.name, rest.signInLead]);
});

test('the command line sends them too, and says which it could not', async () => {
  const { stdout } = await gateway.command('people', 'invite', 'eve@example.org');
  assert.ok(stdout.includes(linkIn(letterTo('eve@example.org'))));
  await assert.rejects(
    gateway.command('people', 'invite', 'nobody@example.com'),
    (error: Error & { stderr: string }) => {
      assert.match(error.stderr, /letter to nobody@example\.com could not be sent/);
      return true;
    },
  );
});

test('whoever forgot the password gets a link, nobody learns who has an account, and no mailbox is filled', async () => {
  const stranger = new Visitor(gateway.url);
  assert.equal((await stranger.ok('GET /console/session')).signIn.sendsLinks, true);
  const ask = async (email: string) =>
    await stranger.call('POST /console/sign-in/letter', { body: { email } });
  const before = letters.length;
  const answers = [
    await ask('stranger@example.org'),
    await ask('Op@example.org'),
    await ask('op@example.org'),
  ];
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  const link = linkIn(await waitUntil('the letter arrives', () => letters[before]?.text));
  const token = decodeURIComponent(link.slice(link.indexOf('#link=') + 6));
  assert.equal(
    (await stranger.ok('POST /console/sign-in/link', { body: { token } })).person?.email,
    'op@example.org',
  );
  const isBraked = async () => (await ask('op@example.org')).status === 429;
  await waitUntil('asking again and again is refused', isBraked);
  assert.equal(letters.length, before + 1);
});

function letterTo(address: string): string {
  const letter = letters.findLast(({ to }) => to === address)?.text;
  assert.ok(letter !== undefined, `there is a letter to ${address}`);
  return letter;
}

/** Mail breaks long lines, with an equals sign at their end. */
function linkIn(letter: string): string {
  const [link] = /https?:\S+/.exec(letter.replaceAll('=\r\n', '').replaceAll('=3D', '=')) ?? [];
  assert.ok(link !== undefined, letter);
  return link;
}
