import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '#harness/free-port';
import { startGateway } from '#harness/gateway';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { loadSettings } from '#settings';
import { checkCertificate } from '../../src/cli/doctor/check-certificate.ts';
import { findService } from '../../src/cli/doctor/find-service.ts';
import { runProgram } from '#harness/system-programs';

/** The doctor on real certificates. */
export function proveCertificates(): void {
  proveServedCertificate();
  test('the doctor tells good certificates from expiring, foreign and mixed-up ones', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificates-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    makeAuthority(folder, 'authority');
    makeAuthority(folder, 'stranger');
    certify(folder, 'good', 'llm.example.org', 90);
    certify(folder, 'soon', 'llm.example.org', 5);
    certify(folder, 'other', 'other.example.org', 90);
    const authority = readFileSync(join(folder, 'authority.pem'), 'utf8');
    const good = readFileSync(join(folder, 'good.pem'), 'utf8');
    writeFileSync(join(folder, 'chain.pem'), good + authority);
    writeFileSync(join(folder, 'mixed.pem'), good + readFileSync(join(folder, 'stranger.pem'), 'utf8'));

    const privateAuthority = [/^warning Its chain does not end at an authority/];
    const cases: readonly (readonly [string, string, readonly RegExp[]])[] = [
      ['chain', 'good', privateAuthority],
      ['good', 'good', privateAuthority],
      ['mixed', 'good', [/^problem In .* certificate 2 did not issue certificate 1/]],
      ['chain', 'other', [/^problem The key .* is not the key of the certificate/, ...privateAuthority]],
      ['soon', 'soon', [/^warning .* expires in 4 days/, ...privateAuthority]],
      ['other', 'other', [/^problem It is not for llm\.example\.org/, ...privateAuthority]],
    ];
    for (const [certificate, key, expected] of cases) {
      const found = await examine(join(folder, `${certificate}.pem`), join(folder, `${key}.key`));
      assert.equal(found.length, expected.length, `${certificate}: ${found.join('\n')}`);
      for (const [index, sentence] of expected.entries()) assert.match(found[index]!, sentence);
    }
  });
}

/** A service that speaks TLS itself, under a name that is not the address at which the doctor asks. */
function proveServedCertificate(): void {
  test('the doctor recognises a service behind its own certificate, and one that shows another', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-served-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    makeAuthority(folder, 'authority');
    certify(folder, 'served', 'llm.example.org', 90);
    await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
    const port = await freePort();
    await using gateway = await startGateway({
      settings: {
        listen: `127.0.0.1:${port}`,
        publicUrl: 'https://llm.example.org',
        tls: { certificateFile: join(folder, 'served.pem'), keyFile: join(folder, 'served.key') },
        engines: [{ name: 'gpu', kind: 'vllm', url: engine.url }],
        models: [{ id: 'm', engines: ['gpu'] }],
      },
    });
    const { headers } = await overTls(`${gateway.url}/healthz`);
    assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d{7,}/);
    const examined = await gateway.command('doctor', '--json');
    const { findings } = JSON.parse(examined.stdout) as { findings: { about: string; said: string }[] };
    const said = (about: string) => findings.filter((one) => one.about === about).map((one) => one.said);
    assert.match(said('port').join(), /is answered by Gatehouse .*, ready/);
    assert.match(said('journal').join(), /Written by 1 running service/);
    assert.equal(said('certificate').length, 1, said('certificate').join());

    certify(folder, 'unserved', 'llm.example.org', 90);
    const other = await examine(join(folder, 'unserved.pem'), join(folder, 'unserved.key'), port);
    assert.match(other.join(), /shows another certificate/);
  });
}

function overTls(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false, agent: false }, (response) => resolve(response.resume())).on(
      'error',
      reject,
    );
  });
}

async function examine(certificateFile: string, keyFile: string, port = 0): Promise<string[]> {
  const loaded = loadSettings({
    environment: {
      GATEHOUSE_TLS_CERTIFICATE_FILE: certificateFile,
      GATEHOUSE_TLS_KEY_FILE: keyFile,
      GATEHOUSE_PUBLIC_URL: 'https://llm.example.org',
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
    },
    workingDirectory: tmpdir(),
  });
  const findings = await checkCertificate({
    loaded,
    service: await findService(loaded.settings),
    generates: false,
    timesHeard: [],
  });
  return findings.map(({ state, said }) => `${state} ${said}`);
}

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';

function makeAuthority(folder: string, name: string): void {
  openssl(folder, `req -x509 ${newKey} -keyout ${name}.key -out ${name}.pem -days 400 -subj /CN=${name}`);
}

function certify(folder: string, name: string, host: string, days: number): void {
  writeFileSync(join(folder, `${name}.extensions`), `subjectAltName=DNS:${host}\n`);
  openssl(folder, `req -new ${newKey} -keyout ${name}.key -out ${name}.csr -subj /CN=${host}`);
  openssl(
    folder,
    `x509 -req -in ${name}.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days ${days} -extfile ${name}.extensions -out ${name}.pem`,
  );
}

function openssl(folder: string, words: string): void {
  const { status, output } = runProgram('openssl', words.split(' '), { folder });
  assert.equal(status, 0, output);
}
