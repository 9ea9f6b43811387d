import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatRecording, recordingsFolder } from '#harness/recording';
import { send } from '#harness/http-client';
import { cacheFolder } from '#harness/python-environment';
import type { RealEngine } from './real-engine.ts';
import { recordedRequests, type RecordedRequest } from './recorded-requests.ts';

/** Asks the engine itself, without the gateway, and writes down what it says. Replaces an earlier recording. */
export async function recordEngine(engine: RealEngine): Promise<void> {
  const folder = join(recordingsFolder, `${engine.kind}-${engine.version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, request] of Object.entries(recordedRequests))
    writeFileSync(join(folder, `${name}.http`), await recordOne(engine, name, request));
}

async function recordOne(
  engine: RealEngine,
  name: string,
  { path, body, keeps }: RecordedRequest,
): Promise<string> {
  const asked = { model: engine.model, ...body, ...ownId(engine, name, path) };
  const headers = { 'x-request-id': 'recorded' };
  const answer = await send(engine.url + path, body === undefined ? {} : { headers, body: asked });
  const kept = Object.entries(answer.headers).filter(([header]) => !ofOneConnection.has(header));
  const lines =
    keeps === undefined
      ? answer.text
      : answer.text
          .split('\n')
          .filter((line) => keeps.test(line))
          .join('\n');
  return formatRecording({
    name,
    request: { method: body === undefined ? 'GET' : 'POST', path, body: asked },
    status: answer.status,
    headers: Object.fromEntries(kept.map(([header, value]) => [header, String(value)])),
    // SGLang tells where on this machine it is installed.
    body: lines.replaceAll(cacheFolder, '/opt/'),
  });
}

/**
 * As the gateway names its requests to SGLang; vLLM takes the name from a header. SGLang aborts by the beginning of a
 * name, and does so once more two seconds after a stream has ended: names are all different and equally long.
 */
function ownId({ kind }: RealEngine, name: string, path: string): object {
  if (kind !== 'sglang' || !path.endsWith('/completions')) return {};
  const number = String(Object.keys(recordedRequests).indexOf(name)).padStart(2, '0');
  return { rid: `${path.includes('chat') ? 'chatcmpl' : 'cmpl'}-recorded-${number}` };
}

const ofOneConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);
