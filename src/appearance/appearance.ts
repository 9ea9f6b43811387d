/** What does the house look like? Its name, its colour, its picture, and the words at its door. */
import { createHash } from 'node:crypto';
import type { Appearance, AppearanceChange, AppearanceDesk } from '#vocabulary/appearance';
import type { AuditTrail } from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';
import type { ServiceNoteStore } from '#vocabulary/service-notes';
import { checkPng } from './check-png.ts';
import { checkSvg } from './check-svg.ts';

const ownLook: Appearance = {
  name: 'Gatehouse',
  accent: undefined,
  signInLead: '',
  signInHelp: '',
  logo: undefined,
};

const maxLogoBytes = 128 * 1024;
const maxLengths = { name: 60, signInLead: 200, signInHelp: 500 } as const;
const rememberMs = 2000;

export function createAppearanceDesk(parts: {
  readonly notes: ServiceNoteStore;
  /** From the settings file: it wins, and is changed there. */
  readonly configured: AppearanceChange;
  readonly audit: AuditTrail;
  readonly clock: Clock;
}): AppearanceDesk {
  const { notes, configured, audit, clock } = parts;
  let remembered: { readonly atMs: number; readonly look: Promise<Appearance> } | undefined;

  return {
    read(maxAgeMs = rememberMs) {
      const nowMs = clock.monotonicMs();
      if (remembered === undefined || nowMs - remembered.atMs > maxAgeMs)
        remembered = { atMs: nowMs, look: readLook() };
      return remembered.look;
    },

    async change(change, by) {
      for (const [param, maxLength] of Object.entries(maxLengths)) checkText(change, param, maxLength);
      if (change.name?.trim() === '')
        throw new Refusal('invalid_parameter', 'Choose a name.', { param: 'name' });
      if (change.accent !== undefined && !/^#[\da-f]{6}$/i.test(change.accent))
        throw new Refusal('invalid_parameter', 'Write the colour like #27695d.', { param: 'accent' });
      for (const name of Object.keys(configured) as (keyof AppearanceChange)[]) {
        if (Object.hasOwn(change, name) && change[name] !== configured[name])
          throw new Refusal(
            'conflict',
            `This stands in the settings file, under \`appearance.${name}\`. Change it there.`,
            { param: name },
          );
      }
      const next = { ...(await readStored()), ...change };
      await audit.note({
        kind: 'appearance-changed',
        by,
        detail: { changed: Object.keys(change).join(', '), name: next.name },
      });
      return await write(next);
    },

    async setLogo(picture, by) {
      let logo: Appearance['logo'];
      if (picture !== undefined) {
        const { type, bytes } = picture;
        const flaw =
          bytes.length > maxLogoBytes
            ? `It has more than ${maxLogoBytes / 1024} KB.`
            : type === 'image/png'
              ? checkPng(bytes)
              : checkSvg(bytes);
        if (flaw !== undefined) throw new Refusal('invalid_parameter', flaw, { param: 'logo' });
        const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
        logo = { type, base64: bytes.toString('base64'), version };
      }
      await audit.note({
        kind: 'appearance-changed',
        by,
        detail: { changed: logo === undefined ? 'logo taken away' : `logo (${logo.type})` },
      });
      return await write({ ...(await readStored()), logo });
    },
  };

  async function readLook(): Promise<Appearance> {
    return { ...(await readStored().catch(() => ownLook)), ...configured };
  }

  async function readStored(): Promise<Appearance> {
    const note = await notes.read('appearance');
    return note === undefined ? ownLook : { ...ownLook, ...(JSON.parse(note) as Partial<Appearance>) };
  }

  async function write(look: Appearance): Promise<Appearance> {
    await notes.write('appearance', JSON.stringify(look));
    remembered = undefined;
    return { ...look, ...configured };
  }
}

function checkText(change: object, param: string, maxLength: number): void {
  const text: unknown = (change as Record<string, unknown>)[param];
  if (typeof text === 'string' && text.length > maxLength)
    throw new Refusal('invalid_parameter', `Write at most ${maxLength} characters.`, { param });
}

/** The picture for whoever asks; it can be looked at and nothing else. */
export async function answerLogo(desk: Pick<AppearanceDesk, 'read'>, exchange: Exchange): Promise<void> {
  let { logo } = await desk.read();
  const wanted = new URLSearchParams(exchange.query).get('version');
  // Another gateway has changed it a moment ago.
  if (wanted !== null && wanted !== logo?.version) ({ logo } = await desk.read(100));
  if (logo === undefined) throw new Refusal('not_found', 'There is no logo.');
  const body = Buffer.from(logo.base64, 'base64');
  const { reply, method } = exchange;
  reply.begin(200, [
    'content-type',
    logo.type,
    'content-length',
    String(body.length),
    'content-security-policy',
    "default-src 'none'; sandbox",
    'content-disposition',
    'inline; filename="logo"',
    'cache-control',
    'public, max-age=300',
    'etag',
    `"${logo.version}"`,
  ]);
  if (method === 'HEAD') reply.end();
  else reply.end(body);
}

/** What a browser needs to put the service among the programs of its machine, under its own name and picture. */
export async function answerManifest(desk: Pick<AppearanceDesk, 'read'>, exchange: Exchange): Promise<void> {
  const { name, logo } = await desk.read();
  const own = (size: number, purpose: 'any' | 'maskable') => ({
    src: `/assets/icons/arch-${purpose === 'maskable' ? 'maskable-' : ''}${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const icons = [own(192, 'any'), own(512, 'any'), own(512, 'maskable')];
  const chosen = logo && { src: `/logo?${logo.version}`, sizes: 'any', type: logo.type, purpose: 'any' };
  const manifest = {
    id: '/',
    name,
    short_name: name.slice(0, 12).trimEnd(),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#faf8f3',
    theme_color: '#faf8f3',
    icons: chosen === undefined ? icons : [chosen, ...icons],
  };
  const body = Buffer.from(JSON.stringify(manifest));
  exchange.reply.begin(200, [
    'content-type',
    'application/manifest+json',
    'content-length',
    String(body.length),
    'cache-control',
    'no-cache',
  ]);
  if (exchange.method === 'HEAD') exchange.reply.end();
  else exchange.reply.end(body);
}
