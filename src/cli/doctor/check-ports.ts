import { createServer } from 'node:net';
import { programVersion } from '../../program-version.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}

export const checkPorts: Check = async ({ loaded, service }) => {
  const { listen, metricsListen, sharedListen } = loaded.settings;
  const findings = [...(await checkMain(listen, service)), ...(await checkShared(sharedListen))];
  if (metricsListen === undefined || metricsListen.port === 0) return findings;
  const code = await tryToListen(metricsListen);
  if (code === 'EADDRINUSE' && service?.metrics !== undefined)
    return [...findings, ok('metrics', `Served at ${shown(metricsListen)}.`)];
  return [
    ...findings,
    code === undefined
      ? ok('metrics', `${shown(metricsListen)} is free.`)
      : cannotListen('metrics', metricsListen, code, 'metricsListen'),
  ];
};

async function checkShared(place: Place | undefined): Promise<Finding[]> {
  if (place === undefined) return [];
  const code = await tryToListen(place, { reusePort: true });
  return code === undefined
    ? [ok('shared port', `${shown(place)} can be listened on together with other gateways.`)]
    : [cannotListen('shared port', place, code, 'sharedListen')];
}

async function checkMain(listen: Place, service: Parameters<Check>[0]['service']): Promise<Finding[]> {
  const about = 'port';
  if (listen.port === 0) return [ok(about, 'Any free one is taken at the start.')];
  if (service !== undefined) {
    const said = `${shown(listen)} is answered by Gatehouse ${service.version}`;
    if (!service.isOurs)
      return [
        problem(
          about,
          `${said}, which serves from another data folder than these settings name.`,
          'Name the settings of the running service with --settings, or choose another port for this one.',
        ),
      ];
    if (!service.isReady)
      return [
        warning(
          about,
          `${said}, which is not ready: ${service.obstacles.join('; ') || 'it is starting or stopping'}.`,
          'Ask again in a moment, then read its log.',
        ),
      ];
    if (service.version !== programVersion())
      return [
        warning(
          about,
          `${said}, but ${programVersion()} is installed.`,
          'Restart the service to complete the upgrade.',
        ),
      ];
    return [ok(about, `${said}, ready.`)];
  }
  const code = await tryToListen(listen);
  return [
    code === undefined ? ok(about, `${shown(listen)} is free.`) : cannotListen(about, listen, code, 'listen'),
  ];
}

function cannotListen(about: string, place: Place, code: string, knob: string): Finding {
  switch (code) {
    case 'EADDRINUSE':
      return problem(
        about,
        `${shown(place)} is taken by another program.`,
        `Stop that program (ss -ltnp shows it), or change ${knob}.`,
      );
    case 'EACCES':
      return problem(
        about,
        `This user may not listen on ${shown(place)}.`,
        `Choose a port above 1023, or give the right to it as deploy/systemd/gatehouse.service does. Asking as the user of the service tells more.`,
      );
    case 'EADDRNOTAVAIL':
      return problem(
        about,
        `This machine does not have the address ${place.host}.`,
        `Change ${knob}; 0.0.0.0 or [::] is every address.`,
      );
    default:
      return problem(about, `Listening on ${shown(place)} fails: ${code}.`, `Change ${knob}.`);
  }
}

/** Undefined when it works. */
function tryToListen({ host, port }: Place, { reusePort = false } = {}): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true, reusePort }, () => server.close(() => resolve(undefined)));
  });
}

function shown({ host, port }: Place): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
