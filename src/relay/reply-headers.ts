/** Nothing between us and the reader may hold a stream back, change it or press it together. */
export function streamHeaders(serverTiming: string | undefined): string[] {
  const headers = [
    'content-type',
    'text/event-stream; charset=utf-8',
    'cache-control',
    'no-cache, no-transform',
    'x-accel-buffering',
    'no',
  ];
  if (serverTiming !== undefined) headers.push('server-timing', serverTiming);
  return headers;
}
