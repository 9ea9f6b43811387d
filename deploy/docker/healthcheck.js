// Asks the service in this container whether it takes requests. Ends with 0 or 1, as Docker wants it.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');
const port = /\d+$/.exec(process.env.PORT ?? process.env.GATEHOUSE_LISTEN ?? '')?.[0] ?? '8080';
// Only the settings know whether it is encrypted.
process.exitCode = (await isReady('http')) || (await isReady('https')) ? 0 : 1;

async function isReady(scheme) {
  try {
    const url = `${scheme}://127.0.0.1:${port}/readyz`;
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
