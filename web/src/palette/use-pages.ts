import { useLocation } from 'wouter';
import { useSession } from '../app/session.tsx';
import { useAdministrationWords } from '../language/administration-words.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { usePaletteWords } from '../language/palette-words.ts';
import { usePresetsWords } from '../language/presets-words.ts';
import { useToolsWords } from '../language/tools-words.ts';
import type { PaletteEntry } from './entry.ts';

/** Every page of the settings, and for operators every page of the administration. */
export function usePages(): readonly PaletteEntry[] {
  const { settings, activity } = usePagesWords();
  const own = usePaletteWords();
  const presets = usePresetsWords();
  const { consents } = useToolsWords();
  const { pages } = useAdministrationWords();
  const { capabilities } = useSession();
  const [, goTo] = useLocation();
  const entry = (icon: PaletteEntry['icon'], label: string, path: string): PaletteEntry => ({
    id: path,
    icon,
    label,
    run: () => goTo(path),
  });
  const settingsPages = [
    ['', settings.appearance],
    ['/chatting', settings.chatting],
    ['/account', settings.profile],
    ['/account/devices', settings.devices],
    ['/account/activity', activity.title],
    ['/account/keys', settings.keys],
    ['/presets', presets.title],
    ['/tools', consents.title],
    ['/links', settings.links],
    ['/data', settings.data],
  ] as const;
  const administrationPages = Object.entries(pages).filter(
    ([id]) => capabilities.mayAdminister && (id !== 'invitations' || capabilities.mayInvite),
  );
  return [
    ...settingsPages.map(([path, name]) => entry('gear', own.settings(name), `/settings${path}`)),
    ...administrationPages.map(([id, { title }]) =>
      entry('shield', own.administration(title), `/administration${id === 'overview' ? '' : `/${id}`}`),
    ),
  ];
}
