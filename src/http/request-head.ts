import { METHODS } from 'node:http';

/** The head of a request: what is asked for, and where its body ends. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** HTTP/1.0, whose callers know no chunks. */
  readonly isFirstVersion: boolean;
  /** Names in lower case and values in turns, as they came. */
  readonly fields: readonly string[];
  /** Bytes of the body; nought where the head says nothing. */
  readonly contentLength: number;
  readonly isChunked: boolean;
  /** As HTTP/1.1 asks for; of two, a proxy and we might each believe another. HTTP/1.0 may name none. */
  readonly namesOneHost: boolean;
  /** Whether another request may follow on the same connection. */
  readonly staysOpen: boolean;
  /** Whether the caller waits to be told to send the body. */
  readonly expectsContinue: boolean;
}

/** What came is no request; what it is told tells why. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

const maxFields = 1000;

/**
 * Reads a head, from its request line to the line break before the blank line. Strict where two readers could disagree
 * about where a request ends: one length or one list of chunks, every line ended by CRLF,
 * no folded lines, no blanks before colons.
 */
export function readRequestHead(text: string): RequestHead {
  const lineStop = text.indexOf('\r\n');
  const [, method = '', target = '', version] = requestLine.exec(text.slice(0, lineStop)) ?? [];
  if (version === undefined || (method !== 'POST' && !knownMethods.has(method)))
    throw new BadRequest('the request line is malformed');
  const fields = readFields(text, lineStop + 2);
  const framing = new FramingFields();
  for (let index = 0; index < fields.length; index += 2)
    framing.note(fields[index] ?? '', fields[index + 1] ?? '');
  const isFirstVersion = version === '0';
  if (framing.isChunked && isFirstVersion) throw new BadRequest('chunks in a request of HTTP/1.0');
  if (framing.isChunked && framing.contentLength !== undefined)
    throw new BadRequest('a length and chunks in one request');
  return {
    method,
    target,
    isFirstVersion,
    fields,
    contentLength: framing.contentLength ?? 0,
    isChunked: framing.isChunked,
    namesOneHost: framing.hosts === 1 || (isFirstVersion && framing.hosts === 0),
    staysOpen: !framing.saysClose && (!isFirstVersion || framing.saysKeepAlive),
    expectsContinue: framing.expectsContinue && !isFirstVersion,
  };
}

/** A path, the whole service, or an address in full; nothing else is asked of a server that is no proxy. */
const requestLine =
  /^([A-Z-]+) (\/[\x21-\x7e]*|\*|[Hh][Tt][Tt][Pp][Ss]?:\/\/[\w.\-:[\]]+(?:[/?][\x21-\x7e]*)?) HTTP\/1\.([01])$/;
/** The beginning of a request line, as far as it has come. */
const requestLineBegun = /^[A-Z-]{1,20}(?: [\x21-\x7e]*(?: [HTP/1.0]{0,8})?)?\r?$/;
const knownMethods = new Set(METHODS.filter((method) => method !== 'CONNECT'));

/** Refuses at once what cannot become a request, however much more comes: another protocol, for instance. */
export function checkBegunHead(bytes: Buffer, from: number): void {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isTextByte[byte] === 1) continue;
    const isEnd = byte === carriageReturn && (at + 1 === bytes.length || bytes[at + 1] === lineFeed);
    if (!isEnd && !(byte === lineFeed && bytes[at - 1] === carriageReturn))
      throw new BadRequest('a line of the head holds a control character');
  }
  const stop = bytes.indexOf('\r\n', 0, 'latin1');
  const line = bytes.toString('latin1', 0, stop < 0 ? bytes.length : stop);
  if (!(stop < 0 ? requestLineBegun : requestLine).test(line))
    throw new BadRequest('the request line is malformed');
}

/** Fields behind the last chunk: judged like any, and dropped. None may speak of what had to be known before. */
export function checkTrailers(text: string): void {
  const fields = readFields(text, 0);
  for (let index = 0; index < fields.length; index += 2)
    if (beforeTheBody.has(fields[index] ?? '')) throw new BadRequest('framing behind the body');
}

const beforeTheBody = new Set(['content-length', 'transfer-encoding', 'host']);

/** Names and values in turns, from `start` to the end of the text. */
function readFields(text: string, start: number): string[] {
  const fields: string[] = [];
  for (let at = start; at < text.length;) {
    const nameStart = at;
    let hasUpperCase = false;
    for (;;) {
      const kind = nameBytes[text.charCodeAt(at)] ?? 0;
      if (kind === 0) break;
      hasUpperCase ||= kind === upperCase;
      at++;
    }
    // A line that begins with a blank, as folded ones do, has no name.
    if (at === nameStart || text.charCodeAt(at) !== colonMark)
      throw new BadRequest('a header field is malformed');
    const name = text.slice(nameStart, at);
    const valueStart = ++at;
    let hasTab = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (isTextByte[code] !== 1) break;
      hasTab ||= code === tab;
      at++;
    }
    if (text.charCodeAt(at) !== carriageReturn || text.charCodeAt(at + 1) !== lineFeed)
      throw new BadRequest('a header line holds a control character');
    const lowerCaseName = hasUpperCase ? name.toLowerCase() : name;
    // Some take a tab for a part of the value, others for the blank behind it.
    if (hasTab && beforeTheBody.has(lowerCaseName)) throw new BadRequest('a tab in a field of the framing');
    fields.push(lowerCaseName, trimmed(text, valueStart, at));
    if (fields.length > 2 * maxFields) throw new BadRequest('too many header fields', true);
    at += 2;
  }
  return fields;
}

/** Without the blanks around it, of which a header knows two. */
function trimmed(text: string, from: number, to: number): string {
  let [start, stop] = [from, to];
  while (start < stop && isBlank(text.charCodeAt(start))) start++;
  while (stop > start && isBlank(text.charCodeAt(stop - 1))) stop--;
  return text.slice(start, stop);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === tab;
}

/** The few fields that decide about framing. */
class FramingFields {
  hosts = 0;
  contentLength: number | undefined;
  isChunked = false;
  saysClose = false;
  saysKeepAlive = false;
  expectsContinue = false;

  note(name: string, value: string): void {
    switch (name) {
      case 'host':
        this.hosts++;
        break;
      case 'connection':
        if (value === 'keep-alive') this.saysKeepAlive = true;
        else this.#noteConnection(value);
        break;
      case 'content-length':
        if (this.contentLength !== undefined) throw new BadRequest('two lengths');
        if (!/^\d{1,15}$/.test(value)) throw new BadRequest('the length is no number');
        this.contentLength = Number(value);
        break;
      case 'transfer-encoding':
        if (this.isChunked || value.toLowerCase() !== 'chunked')
          throw new BadRequest('a transfer encoding other than chunked');
        this.isChunked = true;
        break;
      case 'expect':
        // Whatever else is expected is left unheeded: the answer says what was done.
        this.expectsContinue ||= value.toLowerCase() === '100-continue';
    }
  }

  #noteConnection(value: string): void {
    for (const word of value.toLowerCase().split(',')) {
      if (word.trim() === 'close') this.saysClose = true;
      if (word.trim() === 'keep-alive') this.saysKeepAlive = true;
    }
  }
}

const colonMark = 0x3a;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const tab = 0x09;
const upperCase = 2;
const nameBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[A-Z]/.test(character)) return upperCase;
  return /[!#$%&'*+\-.^_`|~0-9a-z]/.test(character) ? 1 : 0;
});
const isTextByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\t\x20-\x7e\x80-\xff]/.test(String.fromCharCode(byte)) ? 1 : 0,
);
