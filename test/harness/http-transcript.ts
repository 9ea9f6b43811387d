/** What was said on one connection, read from the bytes of both directions after the fact. */
export interface HttpMessage {
  readonly startLine: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** False when the connection ended inside. */
  readonly isComplete: boolean;
}

export interface HttpExchange {
  readonly request: HttpMessage;
  readonly response: HttpMessage;
}

/** Requests nobody answered are left out. Interim answers (`100 Continue`) are passed over. */
export function exchangesIn(sent: Buffer, received: Buffer): HttpExchange[] {
  const requests = readMessages(sent, () => 'no-body');
  let answered = 0;
  const responses = readMessages(received, (startLine) => {
    if (/ 1\d\d /.test(startLine)) return 'no-body';
    const isHead = requests[answered]?.startLine.startsWith('HEAD ') ?? false;
    answered += 1;
    return isHead || / (204|304) /.test(startLine) ? 'no-body' : 'until-close';
  }).filter(({ startLine }) => !/ 1\d\d /.test(startLine));
  return responses.flatMap((response, index) => {
    const request = requests[index];
    return request === undefined ? [] : [{ request, response }];
  });
}

/** How a message without a length ends. */
type Unframed = 'no-body' | 'until-close';

function readMessages(bytes: Buffer, unframed: (startLine: string) => Unframed): HttpMessage[] {
  const messages: HttpMessage[] = [];
  let at = 0;
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd < 0) return messages;
    const [startLine = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const { body, end, isComplete } = readBody(bytes, headEnd + 4, headers, unframed(startLine));
    messages.push({ startLine, headers, body, isComplete });
    at = end;
  }
}

interface Body {
  readonly body: Buffer;
  readonly end: number;
  readonly isComplete: boolean;
}

function readBody(
  bytes: Buffer,
  from: number,
  headers: ReadonlyMap<string, string>,
  unframed: Unframed,
): Body {
  if (unframed === 'no-body' && !headers.has('content-length') && !headers.has('transfer-encoding'))
    return { body: Buffer.alloc(0), end: from, isComplete: true };
  if (/chunked/i.test(headers.get('transfer-encoding') ?? '')) return readChunks(bytes, from);
  const length = headers.get('content-length');
  const end = length === undefined ? bytes.length : from + Number(length);
  return { body: bytes.subarray(from, end), end, isComplete: end <= bytes.length };
}

function readChunks(bytes: Buffer, from: number): Body {
  const parts: Buffer[] = [];
  let at = from;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const dataEnd = lineEnd + 2 + size;
    if (Number.isNaN(size) || dataEnd + 2 > bytes.length)
      return { body: Buffer.concat(parts), end: bytes.length, isComplete: false };
    if (size === 0) return { body: Buffer.concat(parts), end: dataEnd + 2, isComplete: true };
    parts.push(bytes.subarray(lineEnd + 2, dataEnd));
    at = dataEnd + 2;
  }
}
