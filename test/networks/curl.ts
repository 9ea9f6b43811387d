import type { Host } from './hosts.ts';

export interface CurlReply {
  readonly status: number;
  readonly body: string;
}

/** Plain curl as a person types it on that host, the certificate checked against the authority. */
export async function curl(
  host: Host,
  authorityFile: string,
  url: string,
  sent: { readonly body?: object; readonly key?: string; readonly words?: readonly string[] } = {},
): Promise<CurlReply> {
  const words = ['--silent', '--show-error', '--no-buffer', '--max-time', '45', '--cacert', authorityFile];
  if (sent.key !== undefined) words.push('--header', `Authorization: bearer ${sent.key}`);
  if (sent.body !== undefined)
    words.push('--header', 'Content-Type: application/json', '--data', JSON.stringify(sent.body));
  const output = await host.run(
    'curl',
    ...words,
    ...(sent.words ?? []),
    '--write-out',
    '\n%{http_code}',
    url,
  );
  const cut = output.lastIndexOf('\n');
  return { status: Number(output.slice(cut + 1)), body: output.slice(0, cut) };
}
