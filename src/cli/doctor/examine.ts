import { loadSettings, SettingsMistakes, type LoadedSettings } from '#settings';
import { checkCertificate } from './check-certificate.ts';
import { checkClock } from './check-clock.ts';
import { checkDataFolder } from './check-data-folder.ts';
import { checkEngines } from './check-engines.ts';
import { checkModels } from './check-models.ts';
import { checkOpenFiles } from './check-open-files.ts';
import { checkPorts } from './check-ports.ts';
import { checkProviders } from './check-providers.ts';
import { checkProgram, checkSettings, findingsOf } from './check-settings.ts';
import { findService } from './find-service.ts';
import { type Check, type Finding, type Patient, problem } from './finding.ts';

/** The clock comes last: it is compared with what the others have heard. */
const checks: readonly Check[] = [
  checkProgram,
  checkSettings,
  checkCertificate,
  checkPorts,
  checkDataFolder,
  checkModels,
  checkEngines,
  checkProviders,
  checkOpenFiles,
  checkClock,
];

/** Tells each finding as soon as it is known. A check that fails is a finding, too. */
export async function examine(wishes: {
  readonly settingsFile: string | undefined;
  readonly generates: boolean;
  readonly tell: (finding: Finding) => void;
}): Promise<void> {
  const { tell } = wishes;
  const loaded = load(wishes.settingsFile, tell);
  if (loaded === undefined) return;
  const patient: Patient = {
    loaded,
    service: await findService(loaded.settings),
    generates: wishes.generates,
    timesHeard: [],
  };
  for (const check of checks) {
    try {
      for (const finding of await check(patient)) tell(finding);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      tell(
        problem(
          'doctor',
          `A check could not be completed: ${reason}.`,
          'Run it as the user of the service, or as root.',
        ),
      );
    }
  }
}

function load(file: string | undefined, tell: (finding: Finding) => void): LoadedSettings | undefined {
  try {
    return loadSettings({ file, environment: process.env, workingDirectory: process.cwd() });
  } catch (cause) {
    if (!(cause instanceof SettingsMistakes)) throw cause;
    for (const finding of findingsOf(cause)) tell(finding);
    return undefined;
  }
}
