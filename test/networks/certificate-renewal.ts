import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import { baseUrl, hostname } from './neighbourhood.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { longAnswer } from './questions.ts';

export function proveCertificateRenewal(neighbourhood: Neighbourhood): void {
  const { onInstance } = neighbourhood;

  test('a renewed certificate is used for new connections while a stream runs on', async () => {
    const old = await onInstance.readCertificate(hostname);
    const stream = await onInstance.beginStream(
      { url: `${baseUrl}/beta-4-scout/v1/completions`, body: longAnswer('beta-4-scout') },
      3,
    );
    neighbourhood.renewCertificate();
    await waitUntil(
      'the new certificate is shown',
      async () => (await onInstance.readCertificate(hostname)) !== old,
    );
    assert.equal(await onInstance.followStream(stream, 3), 3, 'the stream goes on');
    await onInstance.leaveStream(stream);
  });
}
