import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { addressToAsk } from './find-service.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

const about = 'certificate';
const dayMs = 86_400_000;
const renewBeforeDays = 21;

export const checkCertificate: Check = async ({ loaded, service }) => {
  const { tls, publicUrl, listen } = loaded.settings;
  if (tls === undefined) return [ok(about, 'None: TLS is not set, or ends at a proxy.')];
  let chain: X509Certificate[];
  try {
    chain = readChain(readFileSync(tls.certificateFile, 'utf8'));
  } catch (cause) {
    return [
      problem(
        about,
        `${tls.certificateFile} cannot be read: ${reasonOf(cause)}.`,
        'It must hold certificates in PEM form.',
      ),
    ];
  }
  const [leaf] = chain;
  if (leaf === undefined)
    return [
      problem(
        about,
        `${tls.certificateFile} holds no certificate.`,
        'Put the certificate and its chain there.',
      ),
    ];
  const findings = [
    ...keyFindings(leaf, tls.keyFile),
    ...timeFindings(chain),
    ...nameFindings(leaf, publicUrl),
    ...chainFindings(chain, tls.certificateFile),
    ...(service === undefined ? [] : await servedFindings(leaf, listen)),
  ];
  if (findings.length > 0) return findings;
  const until = new Date(leaf.validTo).toISOString().slice(0, 10);
  return [ok(about, `For ${leaf.subjectAltName ?? leaf.subject}, valid until ${until}, fits its key.`)];
};

function readChain(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

function keyFindings(leaf: X509Certificate, keyFile: string): Finding[] {
  try {
    if (leaf.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) return [];
    return [
      problem(
        about,
        `The key in ${keyFile} is not the key of the certificate.`,
        'Use the two files that were made together.',
      ),
    ];
  } catch (cause) {
    return [
      problem(
        about,
        `The key ${keyFile} cannot be read: ${reasonOf(cause)}.`,
        'It must be a PEM key without a password, readable by the service.',
      ),
    ];
  }
}

function timeFindings(chain: readonly X509Certificate[]): Finding[] {
  const now = Date.now();
  return chain.flatMap((certificate) => {
    const name = certificate.subject.replaceAll('\n', ', ');
    const daysLeft = Math.floor((Date.parse(certificate.validTo) - now) / dayMs);
    if (Date.parse(certificate.validFrom) > now)
      return [
        problem(
          about,
          `The certificate of ${name} is not valid before ${certificate.validFrom}.`,
          'Check the clock of this machine, then the certificate.',
        ),
      ];
    if (daysLeft < 0)
      return [
        problem(
          about,
          `The certificate of ${name} expired on ${certificate.validTo}.`,
          'Renew it; the service takes new files into use by itself.',
        ),
      ];
    if (daysLeft < renewBeforeDays)
      return [
        warning(
          about,
          `The certificate of ${name} expires in ${daysLeft} days.`,
          'Renew it; the service takes new files into use by itself.',
        ),
      ];
    return [];
  });
}

function nameFindings(leaf: X509Certificate, publicUrl: string | undefined): Finding[] {
  if (publicUrl === undefined) return [];
  const host = new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '');
  if ((isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined) return [];
  return [
    problem(
      about,
      `It is not for ${host}, the host of publicUrl, but for ${leaf.subjectAltName ?? leaf.subject}.`,
      'Get one for the name that people type, or correct publicUrl.',
    ),
  ];
}

function chainFindings(chain: readonly X509Certificate[], file: string): Finding[] {
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1];
    if (issuer !== undefined && !isIssuedBy(certificate, issuer))
      return [
        problem(
          about,
          `In ${file} certificate ${index + 2} did not issue certificate ${index + 1}.`,
          'Put them in order: the certificate first, then whoever signed it, and so on.',
        ),
      ];
  }
  const last = chain.at(-1);
  const known = [...getCACertificates('default'), ...getCACertificates('system')];
  const isTrusted =
    last !== undefined &&
    known.some((pem) => {
      const root = new X509Certificate(pem);
      return root.fingerprint256 === last.fingerprint256 || isIssuedBy(last, root);
    });
  if (isTrusted) return [];
  return [
    warning(
      about,
      'Its chain does not end at an authority this machine knows.',
      'If it is your own authority, callers must trust it. If not, the file lacks the intermediate certificates.',
    ),
  ];
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** The service reads renewed files within seconds; if not, a broken pair is in the way. */
async function servedFindings(
  leaf: X509Certificate,
  listen: { host: string; port: number },
): Promise<Finding[]> {
  const served = await servedFingerprint(listen);
  if (served === undefined || served === leaf.fingerprint256) return [];
  return [
    warning(
      about,
      'The running service shows another certificate than the file holds.',
      'Its log says why it did not take the new one.',
    ),
  ];
}

function servedFingerprint(listen: { host: string; port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { hostname } = new URL(`https://${addressToAsk(listen)}`);
    const socket = connect({
      host: hostname.replaceAll(/[[\]]/g, ''),
      port: listen.port,
      rejectUnauthorized: false,
      timeout: 5_000,
    });
    const finish = (fingerprint: string | undefined) => {
      socket.destroy();
      resolve(fingerprint);
    };
    socket.once('secureConnect', () => finish(socket.getPeerX509Certificate()?.fingerprint256));
    socket.once('error', () => finish(undefined));
    socket.once('timeout', () => finish(undefined));
  });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
