import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '#vocabulary/logger';
import { everyKnob } from './every-knob.ts';
import type { LoadedSettings } from './load-settings.ts';
import { type SettingsMistake, SettingsMistakes } from './mistakes.ts';
import type { Settings } from './settings-shape.ts';
import { shownAt } from './shown-at.ts';

export interface SettingsWatch {
  /** What a changed file or SIGHUP does, at once. */
  reload(): void;
  close(): void;
}

/**
 * Reads the settings again on SIGHUP and when the file changes. Only the catalogue (models, engines, networks)
 * and the tools change in a running service: `onChange` gets the settings of the start with the new ones. With a
 * mistake anywhere everything stays as it was.
 */
export function watchSettings({
  started,
  load,
  onChange,
  onMistakes = () => {},
  log,
  pollMs = 1000,
  settleMs = 200,
}: {
  started: LoadedSettings;
  load: () => LoadedSettings;
  onChange: (settings: Settings) => void;
  onMistakes?: (mistakes: SettingsMistakes) => void;
  log: Logger;
  /** Polled rather than watched: replaced files, swapped links and network folders are all noticed. */
  pollMs?: number;
  /** Lets an editor finish writing. */
  settleMs?: number;
}): SettingsWatch {
  let live = livePart(started.settings);
  let hadFile = started.hasFile;
  let hadManaged = started.managed.hasFile;
  const files = [started.file, started.managed.file];
  let settling: NodeJS.Timeout | undefined;

  function reload(): void {
    const next = loadOrTell();
    if (next === undefined) return;
    const pending = knobsThatNeedRestart(started, next);
    if (pending.length > 0) {
      log.warn({ knobs: pending }, 'These settings have changed and take effect after a restart.');
    }
    const now = livePart(next.settings);
    if (isDeepStrictEqual(live, now)) return;
    live = now;
    const { models, engines, directNetworks } = now.catalogue;
    log.info(
      {
        models: models.length,
        engines: engines.length,
        directNetworks: directNetworks.length,
        toolServers: now.tools.servers.length,
      },
      'The settings were read again.',
    );
    onChange({ ...started.settings, ...now });
  }

  function loadOrTell(): LoadedSettings | undefined {
    try {
      const next = load();
      if (hadFile && !next.hasFile) throw new SettingsMistakes([vanished(started.file)]);
      if (hadManaged && !next.managed.hasFile) throw new SettingsMistakes([vanished(started.managed.file)]);
      hadFile = next.hasFile;
      hadManaged = next.managed.hasFile;
      return next;
    } catch (error) {
      if (!(error instanceof SettingsMistakes)) throw error;
      log.error({ mistakes: error.mistakes }, 'The settings have mistakes; the old ones stay in force.');
      onMistakes(error);
      return undefined;
    }
  }

  function fileChanged(): void {
    clearTimeout(settling);
    settling = setTimeout(reload, settleMs);
    settling.unref();
  }

  async function look(): Promise<void> {
    const signatures = files.map((file) => stat(file, { bigint: true }).then(signatureOf, () => missingFile));
    const now = (await Promise.all(signatures)).join('\n');
    if (now === seen) return;
    seen = now;
    fileChanged();
  }

  process.on('SIGHUP', reload);
  let seen = files.map(currentSignature).join('\n');
  const polling = setInterval(() => void look(), pollMs).unref();
  // The file may have changed between the start and that first glance.
  fileChanged();
  return {
    reload,
    close() {
      clearTimeout(settling);
      clearInterval(polling);
      process.off('SIGHUP', reload);
    },
  };
}

/** What changes in a running service. */
function livePart({ catalogue, tools }: Settings): Pick<Settings, 'catalogue' | 'tools'> {
  return { catalogue, tools };
}

/** At a start no file means no wishes; under a running service it means that somebody took them away. */
function vanished(file: string): SettingsMistake {
  const remedy = 'Put it back, or restart to run without any.';
  return { knob: '(file)', place: file, problem: 'The settings file is gone.', remedy };
}

const missingFile = 'missing';

function currentSignature(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? missingFile : signatureOf(found);
}

function signatureOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}

function knobsThatNeedRestart(started: LoadedSettings, next: LoadedSettings): readonly string[] {
  const names = everyKnob()
    .filter(({ change }) => change === 'restart')
    .map(({ name }) => name)
    .filter((name) => !isDeepStrictEqual(shownAt(started.shown, name), shownAt(next.shown, name)));
  if (names.length > 0) return names;
  const { catalogue: _before, tools: _toolsBefore, ...before } = started.settings;
  const { catalogue: _after, tools: _toolsAfter, ...after } = next.settings;
  return isDeepStrictEqual(before, after) ? [] : ['a secret'];
}
