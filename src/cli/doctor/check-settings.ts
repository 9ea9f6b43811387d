import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Settings, SettingsMistakes } from '#settings';
import { programVersion } from '../../program-version.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

export function findingsOf(mistakes: SettingsMistakes): Finding[] {
  return mistakes.mistakes.map(({ knob, place, problem: said, remedy }) =>
    problem('settings', `${knob} (${place}): ${said}`, remedy),
  );
}

export const checkProgram: Check = () => {
  const said = `Gatehouse ${programVersion()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const pages = fileURLToPath(new URL('../../../web/dist/index.html', import.meta.url));
  return [
    ok('program', said),
    ...(existsSync(pages)
      ? []
      : [warning('web page', 'The chat page is not built.', 'Run: npm run build -w web')]),
  ];
};

export const checkSettings: Check = ({ loaded }) => {
  const { settings, file, sources } = loaded;
  const set = [...sources.values()].filter((source) => source !== 'default').length;
  const said = existsSync(file)
    ? `${file} and the environment set ${set} of ${sources.size} knobs.`
    : `There is no settings file; the environment sets ${set} of ${sources.size} knobs.`;
  return [ok('settings', said), ...readableSecrets(file), ...exposure(settings)];
};

const secretLine =
  /^\s*-?\s*\{?.*(?:\b(?:credential|clientSecret|adminPassword)\s*:\s*["']?(?!\$\{)[^\s"'$]|\b(?:database|server)\s*:\s*["']?\w+:\/\/[^\s/@]*:(?!\$\{)[^\s@]+@)/m;

function readableSecrets(file: string): Finding[] {
  if (process.platform === 'win32' || !existsSync(file)) return [];
  const isReadableByOthers = (statSync(file).mode & 0o044) !== 0;
  if (!isReadableByOthers || !secretLine.test(readFileSync(file, 'utf8'))) return [];
  return [
    warning(
      'settings',
      `${file} holds a secret and other users of this machine may read it.`,
      `Run: chmod 600 ${file}, or take the secret from a variable or a file of its own.`,
    ),
  ];
}

function exposure(settings: Settings): Finding[] {
  const { listen, tls, publicUrl, catalogue, signIn } = settings;
  const findings: Finding[] = [];
  const isLoopback = listen.host === 'localhost' || listen.host === '::1' || listen.host.startsWith('127.');
  const hasProxy = catalogue.trustedProxies.length > 0;
  if (!isLoopback && tls === undefined && !hasProxy) {
    findings.push(
      warning(
        'settings',
        `The service listens on ${listen.host} without TLS: keys and prompts cross the network readable.`,
        'Set tls.certificateFile and tls.keyFile, or listen on loopback behind a proxy that has a certificate.',
      ),
    );
  }
  if (publicUrl?.startsWith('https:') === true && tls === undefined && !hasProxy) {
    const isOpen = catalogue.directNetworks.some(({ cidr }) => cidr.startsWith('127.') || cidr === '::1/128');
    const say = isOpen ? problem : warning;
    findings.push(
      say(
        'settings',
        `publicUrl has https, but there is neither a certificate nor a trusted proxy: every caller looks like the proxy${isOpen ? ', and loopback may use the direct door' : ''}.`,
        'Name the proxy in trustedProxies, or set tls.',
      ),
    );
  }
  if (publicUrl === undefined && (signIn.providers.length > 0 || !isLoopback)) {
    findings.push(
      warning(
        'settings',
        'publicUrl is not set: links and the address for sign-in are guessed from where the service listens.',
        'Set publicUrl to what people type, such as https://llm.example.org.',
      ),
    );
  }
  const open = catalogue.directNetworks.find(({ cidr }) => cidr.endsWith('/0'));
  if (open !== undefined) {
    findings.push(
      warning(
        'settings',
        `directNetworks has ${open.cidr}: everybody who reaches the service uses the models without a key.`,
        'List only networks that you run.',
      ),
    );
  }
  if (catalogue.trustedProxies.some((cidr) => cidr.endsWith('/0'))) {
    findings.push(
      problem(
        'settings',
        'trustedProxies has every address: any caller can claim to come from a permitted network.',
        'List only the proxies in front of the service.',
      ),
    );
  }
  return findings;
}
