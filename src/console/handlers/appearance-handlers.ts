import type { appearanceRoutes } from '#contract/appearance';
import { actorOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { viewAppearance } from '../views.ts';

export function createAppearanceHandlers({ appearance }: ConsoleParts): HandlersOf<typeof appearanceRoutes> {
  return {
    'PATCH /console/administration/appearance': async ({ session, device, body }) => {
      const { accent, ...texts } = body;
      const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
      const change = { ...given, ...(accent !== undefined && { accent: accent?.toLowerCase() }) };
      return viewAppearance(await appearance.change(change, actorOf(session, device)));
    },

    'PUT /console/administration/appearance/logo': async ({ session, device, body }) => {
      const picture = { type: body.type, bytes: Buffer.from(body.base64, 'base64') };
      return viewAppearance(await appearance.setLogo(picture, actorOf(session, device)));
    },

    'DELETE /console/administration/appearance/logo': async ({ session, device }) =>
      viewAppearance(await appearance.setLogo(undefined, actorOf(session, device))),
  };
}
