// Asks the service in this container whether it takes requests. Ends with 0 or 1, as Docker wants it.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');
const scheme = process.env.GATEHOUSE_TLS_CERTIFICATE_FILE === undefined ? 'http' : 'https';
const port = /\d+$/.exec(process.env.PORT ?? process.env.GATEHOUSE_LISTEN ?? '')?.[0] ?? '8080';
try {
  const answer = await fetch(`${scheme}://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
