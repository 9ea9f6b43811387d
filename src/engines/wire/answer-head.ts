/** The head of an answer, as far as it matters: what it is, where its body ends, and whether the socket lives on. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string;
  /** Bytes of the body; undefined when the head does not say. */
  readonly contentLength: number | undefined;
  readonly isChunked: boolean;
  /** Whether another request may follow on the same connection. */
  readonly staysOpen: boolean;
  /** For how long the engine promises to keep an idle connection; undefined when it does not say. */
  readonly keptOpenMs: number | undefined;
}

export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

const maxFields = 128;

/**
 * Reads a head from its status line to before the blank line. Strict where two readers could disagree about where an
 * answer ends: one length or one list of chunks, every line ended by CRLF, no folded lines, no blanks before colons.
 */
export function readAnswerHead(bytes: Buffer, start: number, end: number): AnswerHead {
  const statusEnd = lineEnd(bytes, start, end);
  const [, version, code] = statusLine.exec(bytes.toString('latin1', start, statusEnd)) ?? [];
  if (version === undefined || code === undefined) throw new BadAnswer('the status line is malformed');
  const fields = new FramingFields();
  readFields(bytes, statusEnd + 2, end, fields);
  const isFirstVersion = version === '0';
  if (fields.isChunked && isFirstVersion) throw new BadAnswer('chunks in an answer of HTTP/1.0');
  if (fields.isChunked && fields.contentLength !== undefined)
    throw new BadAnswer('a length and chunks in one answer');
  return {
    status: Number(code),
    contentType: fields.contentType ?? '',
    contentLength: fields.contentLength,
    isChunked: fields.isChunked,
    staysOpen: !isFirstVersion && !fields.saysClose,
    keptOpenMs: fields.keptOpenMs,
  };
}

/** Fields behind the last chunk: judged like any, and dropped. */
export function checkTrailers(bytes: Buffer, start: number, end: number): void {
  readFields(bytes, start, end, undefined);
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d) [\t\x20-\x7e\x80-\xff]*$/;

function readFields(bytes: Buffer, start: number, end: number, fields: FramingFields | undefined): void {
  let count = 0;
  for (let at = start; at < end;) {
    if (++count > maxFields) throw new BadAnswer('too many header fields');
    const colon = nameEnd(bytes, at, end);
    const valueEnd = lineEnd(bytes, colon + 1, end);
    fields?.note(bytes, at, colon, valueEnd);
    at = valueEnd + 2;
  }
}

/** The colon behind a field name. A line that begins with a blank, as folded ones do, has no name. */
function nameEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isNameByte[bytes[at] ?? 0] === 1) at++;
  if (at === start || at === end || bytes[at] !== colonMark)
    throw new BadAnswer('a header field is malformed');
  return at;
}

/** Where the line's CRLF begins; the last line of a head ends with the head. */
function lineEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isTextByte[bytes[at] ?? 0] === 1) at++;
  if (at === end) return at;
  if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed)
    throw new BadAnswer('a header line holds a control character');
  return at;
}

/** The few fields that decide about framing. Each may stand there once. */
class FramingFields {
  contentType: string | undefined;
  contentLength: number | undefined;
  isChunked = false;
  saysClose = false;
  keptOpenMs: number | undefined;

  note(bytes: Buffer, nameStart: number, nameStop: number, valueStop: number): void {
    // Lengths tell nearly all other fields apart without making a text of them.
    switch (nameStop - nameStart) {
      case 'connection'.length:
      case 'content-type'.length:
      case 'content-length'.length:
      case 'transfer-encoding'.length:
        this.#take(
          bytes.toString('latin1', nameStart, nameStop).toLowerCase(),
          bytes.toString('latin1', nameStop + 1, valueStop).trim(),
        );
    }
  }

  #take(name: string, value: string): void {
    switch (name) {
      case 'connection':
        this.saysClose ||= value !== 'keep-alive' && namesClose(value);
        break;
      case 'keep-alive':
        this.keptOpenMs = keptOpenMs(value);
        break;
      case 'content-type':
        if (this.contentType !== undefined) throw new BadAnswer('two content types');
        this.contentType = value;
        break;
      case 'content-length':
        if (this.contentLength !== undefined) throw new BadAnswer('two lengths');
        if (!/^\d{1,15}$/.test(value)) throw new BadAnswer('the length is no number');
        this.contentLength = Number(value);
        break;
      case 'transfer-encoding':
        if (this.isChunked || value.toLowerCase() !== 'chunked')
          throw new BadAnswer('a transfer encoding other than chunked');
        this.isChunked = true;
    }
  }
}

function namesClose(connection: string): boolean {
  return connection
    .toLowerCase()
    .split(/[ \t]*,[ \t]*/)
    .includes('close');
}

function keptOpenMs(keepAlive: string): number | undefined {
  const [, seconds] = /(?:^|[ ,])timeout=(\d{1,6})\b/i.exec(keepAlive) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

const colonMark = 0x3a;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const isNameByte = tableOf(/[!#$%&'*+\-.^_`|~0-9A-Za-z]/);
const isTextByte = tableOf(/[\t\x20-\x7e\x80-\xff]/);

function tableOf(allowed: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed.test(String.fromCharCode(byte)) ? 1 : 0));
}
