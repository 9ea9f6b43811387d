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
  /** When to come again, in seconds; undefined when the engine does not say. */
  readonly retryAfterSeconds: number | undefined;
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
  const status = readStatus(bytes, start, statusEnd);
  const isFirstVersion = bytes[start + versionMark.length] === zero;
  const fields = new FramingFields();
  readFields(bytes, statusEnd + 2, end, fields);
  if (fields.isChunked && isFirstVersion) throw new BadAnswer('chunks in an answer of HTTP/1.0');
  if (fields.isChunked && fields.contentLength !== undefined)
    throw new BadAnswer('a length and chunks in one answer');
  return {
    status,
    contentType: fields.contentType ?? '',
    contentLength: fields.contentLength,
    isChunked: fields.isChunked,
    staysOpen: !isFirstVersion && !fields.saysClose,
    keptOpenMs: fields.keptOpenMs,
    retryAfterSeconds: fields.retryAfterSeconds,
  };
}

/** Fields behind the last chunk: judged like any, and dropped. By then it is too late to say how a body is framed. */
export function checkTrailers(bytes: Buffer, start: number, end: number): void {
  const fields = new FramingFields();
  readFields(bytes, start, end, fields);
  if (fields.isChunked || fields.contentLength !== undefined)
    throw new BadAnswer('a length or chunks in a trailer');
}

/** Of `HTTP/1.1 200 …` or `HTTP/1.0 200 …`, whose line has been judged to its end. */
function readStatus(bytes: Buffer, start: number, end: number): number {
  const version = start + versionMark.length;
  const code = version + 2;
  const isStatusLine =
    end > code + 3 &&
    isHere(bytes, start, versionMark) &&
    (bytes[version] === zero || bytes[version] === zero + 1) &&
    bytes[code - 1] === blank &&
    bytes[code + 3] === blank;
  const status = isStatusLine ? readNumber(bytes, code, code + 3) : undefined;
  if (status === undefined || status < 100 || status > 599)
    throw new BadAnswer('the status line is malformed');
  return status;
}

function readFields(bytes: Buffer, start: number, end: number, fields: FramingFields): void {
  let count = 0;
  for (let at = start; at < end;) {
    if (++count > maxFields) throw new BadAnswer('too many header fields');
    const colon = nameEnd(bytes, at, end);
    const valueEnd = lineEnd(bytes, colon + 1, end);
    fields.note(bytes, at, colon, valueEnd);
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
  retryAfterSeconds: number | undefined;

  /** Compares bytes where they lie: a text is made of what has to be one. */
  note(bytes: Buffer, nameStart: number, nameStop: number, lineStop: number): void {
    let [start, stop] = [nameStop + 1, lineStop];
    while (start < stop && isBlank(bytes[start])) start++;
    while (stop > start && isBlank(bytes[stop - 1])) stop--;
    // Lengths tell nearly all other fields apart.
    switch (nameStop - nameStart) {
      case names.connection.length:
        if (isNamed(bytes, nameStart, names.connection)) this.#takeConnection(bytes, start, stop);
        else if (isNamed(bytes, nameStart, names.keepAlive))
          this.keptOpenMs = keptOpenMs(bytes.toString('latin1', start, stop));
        break;
      case names.retryAfter.length:
        if (isNamed(bytes, nameStart, names.retryAfter))
          this.retryAfterSeconds = stop - start <= 6 ? readNumber(bytes, start, stop) : undefined;
        break;
      case names.contentType.length:
        if (!isNamed(bytes, nameStart, names.contentType)) break;
        if (this.contentType !== undefined) throw new BadAnswer('two content types');
        this.contentType = bytes.toString('latin1', start, stop);
        break;
      case names.contentLength.length:
        if (isNamed(bytes, nameStart, names.contentLength)) this.#takeLength(bytes, start, stop);
        break;
      case names.transferEncoding.length:
        if (!isNamed(bytes, nameStart, names.transferEncoding)) break;
        if (this.isChunked || stop - start !== chunked.length || !isNamed(bytes, start, chunked))
          throw new BadAnswer('a transfer encoding other than chunked');
        // A tab around it is allowed, but not all readers take it for the same.
        if (bytes.subarray(nameStop, lineStop).includes(tab))
          throw new BadAnswer('a transfer encoding other than chunked');
        this.isChunked = true;
    }
  }

  #takeConnection(bytes: Buffer, start: number, stop: number): void {
    const saysKeepAlive = stop - start === names.keepAlive.length && isNamed(bytes, start, names.keepAlive);
    this.saysClose ||= !saysKeepAlive && namesClose(bytes.toString('latin1', start, stop));
  }

  #takeLength(bytes: Buffer, start: number, stop: number): void {
    if (this.contentLength !== undefined) throw new BadAnswer('two lengths');
    const length = stop - start <= mostLengthDigits ? readNumber(bytes, start, stop) : undefined;
    if (length === undefined) throw new BadAnswer('the length is no number');
    this.contentLength = length;
  }
}

/** So many digits are always a number that can be counted with. */
const mostLengthDigits = 15;

/** Undefined where anything but digits stands there, or nothing. */
function readNumber(bytes: Buffer, start: number, stop: number): number | undefined {
  let number = 0;
  for (let at = start; at < stop; at++) {
    const digit = (bytes[at] ?? 0) - zero;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return stop > start ? number : undefined;
}

function isHere(bytes: Buffer, start: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index++)
    if (bytes[start + index] !== wanted[index]) return false;
  return true;
}

/** In letters of either case: among the bytes of names, only letters differ in nothing but this bit. */
function isNamed(bytes: Buffer, start: number, lowerCaseName: Buffer): boolean {
  for (let index = 0; index < lowerCaseName.length; index++)
    if (((bytes[start + index] ?? 0) | 0x20) !== lowerCaseName[index]) return false;
  return true;
}

function isBlank(byte: number | undefined): boolean {
  return byte === blank || byte === tab;
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

const names = {
  connection: Buffer.from('connection'),
  keepAlive: Buffer.from('keep-alive'),
  retryAfter: Buffer.from('retry-after'),
  contentType: Buffer.from('content-type'),
  contentLength: Buffer.from('content-length'),
  transferEncoding: Buffer.from('transfer-encoding'),
};
const chunked = Buffer.from('chunked');
const versionMark = Buffer.from('HTTP/1.');
const blank = 0x20;
const tab = 0x09;
const zero = 0x30;
const colonMark = 0x3a;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const isNameByte = tableOf(/[!#$%&'*+\-.^_`|~0-9A-Za-z]/);
const isTextByte = tableOf(/[\t\x20-\x7e\x80-\xff]/);

function tableOf(allowed: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed.test(String.fromCharCode(byte)) ? 1 : 0));
}
