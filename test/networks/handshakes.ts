import { test } from 'node:test';
import { waitUntil, within } from '#harness/wait-until';
import { baseUrl, hostname } from './neighbourhood.ts';
import type { Neighbourhood } from './neighbourhood.ts';

export function proveHandshakes({ hosts, curl, onLaptop }: Neighbourhood): void {
  test('whoever speaks no TLS, or nothing at all, is hung up on', async () => {
    const words = [
      '',
      'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
      '\x16\x03\x01',
      '\x00'.repeat(64),
      'SSH-2.0-x\r\n',
    ];
    await within('the server to hang up', onLaptop.speakPlainly(hostname, words), 30_000);
    await waitUntil('no connection is left', async () => {
      const { body } = await curl(hosts.server, `${baseUrl}/metrics`, {
        words: ['--http1.1', '--connect-to', `${hostname}:443:127.0.0.1:443`],
      });
      return /^gatehouse_connections_open 1$/m.test(body);
    });
  });

  test('silent connections do not hold up the end of the service', () => {
    // Still open when the service is stopped, which has a fuse of its own.
    void onLaptop.speakPlainly(hostname, ['', '\x16\x03\x01']).catch(() => {});
  });
}
