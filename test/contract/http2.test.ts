import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { certificate, writeCertificate } from '#harness/certificate';
import { startGateway } from '#harness/gateway';
import { issueKey } from '#harness/key-office';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

/** The whole service over HTTP/2; what holds for each stream is tested beside the code. */
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-http2-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

function open(url: string, localAddress: string): ClientHttp2Session {
  const { hostname: host, port } = new URL(url);
  const own = { host, port: Number(port), localAddress, ALPNProtocols: ['h2'] };
  const createConnection = () => connectTls({ ...own, ca: certificate, servername: 'localhost' });
  const session = connect(url, { createConnection });
  session.on('error', () => {});
  return session;
}

function request(session: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders, body?: object) {
  const method = body === undefined ? 'GET' : 'POST';
  const stream = session.request({
    ':method': method,
    ':path': path,
    'content-type': 'application/json',
    ...headers,
  });
  const heard = { stream, status: 0, text: '', isClosed: false };
  stream.on('response', (head) => (heard.status = Number(head[':status'])));
  stream.on('data', (bytes: Buffer) => (heard.text += bytes.toString()));
  stream.on('error', () => {});
  stream.on('close', () => (heard.isClosed = true));
  stream.end(body === undefined ? undefined : JSON.stringify(body));
  return heard;
}

test('page, calls and streams share one session, are cancelled each, and end well when the service stops', async () => {
  await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      tls: writeCertificate(scratch),
      directNetworks: ['127.0.0.1/32'],
      engines: [{ name: 'one', kind: 'vllm', url: engine.url }],
      models: [{ id: 'm', engines: ['one'] }],
    },
  });
  const { secret } = await issueKey(gateway.dataDir, {});
  const session = open(gateway.url, '127.0.0.1');
  const chat = (words: string) => ({ model: 'm', stream: true, messages: ask(words) });
  const [left, stays] = [mark(), mark()];
  const streams = [left, stays].map((word) =>
    request(session, '/m/v1/chat/completions', {}, chat(`${word} sim:frames=100000 sim:every=20`)),
  );
  for (const stream of streams)
    await waitUntil('the first pieces have arrived', () => stream.text.includes('data: '));
  const whole = async (path: string, headers: OutgoingHttpHeaders, body?: object) => {
    const heard = request(session, path, headers, body);
    await waitUntil('it is answered', () => heard.isClosed);
    return heard;
  };
  const page = await whole('/', {});
  assert.deepEqual([page.status, /<!doctype html>/i.test(page.text)], [200, true]);
  const key = { authorization: `Bearer ${secret}` };
  const call = await waitUntil('the key is known', async () => {
    const heard = await whole('/api/chat/completions', key, { model: 'm', messages: ask('hello') });
    return heard.status === 401 ? undefined : heard;
  });
  assert.deepEqual([call.status, /"choices"/.test(call.text)], [200, true]);

  streams[0]?.stream.close(constants.NGHTTP2_CANCEL);
  await waitUntil('the generation is cancelled', () => engine.marked(left)[0]?.state === 'aborted');
  assert.notEqual(engine.marked(stays)[0]?.state, 'aborted');

  const stranger = open(gateway.url, '127.0.0.2');
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }]) {
    const foreign = request(stranger, '/m/v1/chat/completions', headers, chat('hello'));
    await waitUntil('it is refused', () => foreign.isClosed);
    assert.equal(foreign.status, 401);
  }

  let isTold = false;
  session.on('goaway', () => (isTold = true));
  gateway.signal('SIGTERM');
  await waitUntil('it is told', () => isTold);
  for (const generation of engine.marked(stays)) generation.isToldToFinish = true;
  await waitUntil('the stream has ended', () => streams[1]?.isClosed);
  assert.equal(streams[1]?.stream.rstCode, constants.NGHTTP2_NO_ERROR);
  assert.ok(streams[1]?.text.endsWith('data: [DONE]\n\n'));
  assert.equal(await gateway.exited, 0);
  await gateway.stop();
});
