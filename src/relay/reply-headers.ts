import { eventStreamHeaders } from '#dialects/sse';

export function streamHeaders(serverTiming: string | undefined): readonly string[] {
  return serverTiming === undefined
    ? eventStreamHeaders
    : [...eventStreamHeaders, 'server-timing', serverTiming];
}
