import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Appearance, AppearanceChange, AppearanceDesk, LogoType } from '#vocabulary/appearance';
import { systemClock } from '#vocabulary/clock';
import { WrongUse, type Command } from './command.ts';
import { withBooks } from './open-books.ts';

const usage = `Usage: gatehouse appearance show
       gatehouse appearance set [--name NAME] [--accent COLOUR] [--sign-in-lead TEXT]
                                [--sign-in-help TEXT] [--logo FILE]

The name, colour, picture and words that people see at the door and above their chats. Shades of the
colour that can be read are made for both themes. A running server takes changes within seconds.

  --accent COLOUR      like #27695d; "none" brings the colour of the house back
  --logo FILE          a PNG up to 1024 by 1024 dots, or an SVG of shapes; up to 128 KB;
                       "none" takes it away
  --sign-in-lead TEXT  below the name; empty for the usual words
  --sign-in-help TEXT  below the form; empty for the usual words
  --settings FILE      read this file instead of gatehouse.yaml`;

const options = {
  name: { type: 'string' },
  accent: { type: 'string' },
  'sign-in-lead': { type: 'string' },
  'sign-in-help': { type: 'string' },
  logo: { type: 'string' },
  settings: { type: 'string' },
} as const;

export const appearanceCommand: Command = {
  name: 'appearance',
  summary: 'Show and set the name, colour, logo and words of the sign-in page',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action, ...rest] = positionals;
    if (rest.length > 0 || (action !== 'show' && action !== 'set'))
      throw new WrongUse('Say what to do: show or set.');
    const { settings, logo, accent, name } = values;
    const change: AppearanceChange = {
      ...(name !== undefined && { name }),
      ...(accent !== undefined && { accent: accent === 'none' ? undefined : accent.toLowerCase() }),
      ...(values['sign-in-lead'] !== undefined && { signInLead: values['sign-in-lead'] }),
      ...(values['sign-in-help'] !== undefined && { signInHelp: values['sign-in-help'] }),
    };
    return withBooks(settings, async ({ settings: { appearance: configured }, storage, audit, actor }) => {
      const { createAppearanceDesk } = await import('#appearance');
      const desk: AppearanceDesk = createAppearanceDesk({
        notes: storage.serviceNotes,
        configured,
        audit,
        clock: systemClock,
      });
      if (action === 'set') {
        if (Object.keys(change).length === 0 && logo === undefined)
          throw new WrongUse('Say what should be different.');
        if (logo !== undefined) await desk.setLogo(logo === 'none' ? undefined : readLogo(logo), actor);
        if (Object.keys(change).length > 0) await desk.change(change, actor);
      }
      process.stdout.write(`${JSON.stringify(describe(await desk.read()), null, 2)}\n`);
      return 0;
    });
  },
};

const types: Readonly<Record<string, LogoType>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

function readLogo(file: string): { readonly type: LogoType; readonly bytes: Buffer } {
  const type = types[extname(file).toLowerCase()];
  if (type === undefined) throw new WrongUse('The logo must be a .png or .svg file.');
  try {
    return { type, bytes: readFileSync(file) };
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new WrongUse(`${file} cannot be read (${reason}).`);
  }
}

function describe({ logo, ...look }: Appearance): object {
  return { ...look, logo: logo === undefined ? undefined : { type: logo.type, version: logo.version } };
}
