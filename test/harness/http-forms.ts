/** HTTP/1.1 in every form it has, and broken in the ways that matter: for whoever reads requests or answers. */
import fc from 'fast-check';

export const latin1 = (text: string) => Buffer.from(text, 'latin1');

export const everyByte = (bytes: Buffer) => Array.from(bytes, (_, index) => index);

/** A long text is the same at every byte: it is cut at a few hundred. */
export function closeCuts(bytes: Buffer): number[] {
  const step = Math.ceil(bytes.length / 500);
  return everyByte(bytes).filter((at) => at % step === 0);
}

/** Each piece is memory of its own, as what a socket reads is: a parser may move bytes in it. */
export function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const borders = [...new Set(cuts)].filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b);
  return [0, ...borders].map((start, index) =>
    Buffer.from(bytes.subarray(start, borders[index] ?? bytes.length)),
  );
}

const bodyText = fc.string({
  unit: fc.constantFrom('a', '\r', '\n', '0', ':', ' ', 'ÿ', '\0', '1\r\n\r\n', 'GET / HTTP/1.1\r\n'),
  minLength: 1,
  maxLength: 30,
});
const spacing = fc.constantFrom('', ' ', '\t', '  ');
const field = fc
  .tuple(
    fc.constantFrom('Accept', 'x-a.b_c~', 'Content-Typo', 'cookie', 'Server', 'authorization', 'if-match'),
    spacing,
    fc.constantFrom('', 'x', 'a, b', 'ü', '"q"', 'close', 'chunked', '3'),
    spacing,
  )
  .map(([name, before, value, behind]) => `${name}:${before}${value}${behind}\r\n`);

/** Lines that say nothing about how a message is framed. */
export const fields = fc.array(field, { maxLength: 4 }).map((lines) => lines.join(''));

export const anyCase = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
);

const hex = fc.constantFrom(
  (size: number) => size.toString(16),
  (size: number) => size.toString(16).toUpperCase().padStart(4, '0'),
);

/** A body, and the same body in chunks. */
export const body = fc
  .record({
    parts: fc.array(bodyText, { maxLength: 5 }),
    extension: fc.constantFrom('', ';a', ';a=b', ';a="b; c"', ';a;b=c'),
    hex,
    trailers: fields,
  })
  .map((made) => ({
    text: made.parts.join(''),
    inChunks: [
      ...made.parts.map((part) => `${made.hex(part.length)}${made.extension}\r\n${part}\r\n`),
      `0${made.extension}\r\n${made.trailers}\r\n`,
    ].join(''),
  }));

const hostileSigns = fc.constantFrom(...Array.from('\r\n\0\t :;-/01fAÿ'));
const hostileTexts = fc.constantFrom(
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  'chunked',
  'HTTP/1.1',
  'host: y\r\n',
  '\r\n folded',
  'content-length: 2\r\n',
  'Transfer-Encoding: chunked\r\n',
);

/** A good message with a few bytes put in, taken out or written over. */
export function wounded(good: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  const wounds = fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.oneof(hostileSigns, hostileTexts)), {
    minLength: 1,
    maxLength: 3,
  });
  return fc.tuple(good, wounds).map(([bytes, made]) => {
    let text = bytes.toString('latin1');
    for (const [at, taken, put] of made) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + put + text.slice(place + taken);
    }
    return latin1(text);
  });
}

/** What nobody may read, behind a first line (and what must stand with it) that is good. */
export function malformedMessages(start: string): Readonly<Record<string, string>> {
  const chunked = `${start}transfer-encoding: chunked\r\n\r\n`;
  return {
    'a length and chunks': `${start}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'chunks and a length': `${start}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\nabc`,
    'two lengths': `${start}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`,
    'a list of lengths': `${start}content-length: 3, 3\r\n\r\nabc`,
    'a length with a sign': `${start}content-length: +3\r\n\r\nabc`,
    'a length in hexadecimal': `${start}content-length: 0x3\r\n\r\nabc`,
    'a length beyond all measure': `${start}content-length: 9999999999999999\r\n\r\nabc`,
    'an empty length': `${start}content-length:\r\n\r\nabc`,
    'another transfer encoding': `${start}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    'chunked twice': `${start}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'chunked and then identity': `${start}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n`,
    'a transfer encoding that looks like chunked': `${start}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'a tab behind a transfer encoding': `${start}transfer-encoding: chunked\t\r\n\r\n0\r\n\r\n`,
    'an empty transfer encoding': `${start}transfer-encoding:\r\n\r\n0\r\n\r\n`,
    'a blank before the colon': `${start}content-length : 3\r\n\r\nabc`,
    'a folded line': `${start}x: a\r\n content-length: 3\r\n\r\nabc`,
    'a field without a name': `${start}: a\r\n\r\n`,
    'a line without a colon': `${start}content-length\r\n\r\n`,
    'a lone line feed in a field': `${start}x: a\ncontent-length: 0\r\n\r\n`,
    'a lone carriage return': `${start}x: a\rb\r\n\r\n`,
    'a NUL': `${start}x: a\0b\r\n\r\n`,
    'a name with a control character': `${start}x\u0001y: a\r\n\r\n`,
    'a name with a blank': `${start}x y: a\r\n\r\n`,
    'no length of a chunk': `${chunked}\r\nabc\r\n0\r\n\r\n`,
    'a length of a chunk with a sign': `${chunked}-3\r\nabc\r\n0\r\n\r\n`,
    'a length of a chunk with a prefix': `${chunked}0x3\r\nabc\r\n0\r\n\r\n`,
    'a length of a chunk with a blank': `${chunked}3 \r\nabc\r\n0\r\n\r\n`,
    'a length of a chunk beyond all measure': `${chunked}fffffffff\r\nabc`,
    'a chunk line ended by a line feed': `${chunked}3\nabc\r\n0\r\n\r\n`,
    'a carriage return in a chunk extension': `${chunked}3;a\rb\r\nabc\r\n0\r\n\r\n`,
    'a chunk extension without a name': `${chunked}3;\r\nabc\r\n0\r\n\r\n`,
    'a chunk longer than it says': `${chunked}3\r\nabcd\r\n0\r\n\r\n`,
    'a chunk shorter than it says': `${chunked}5\r\nabc\r\n0\r\n\r\n`,
    'a chunk ended by a line feed': `${chunked}3\r\nabc\n0\r\n\r\n`,
    'an endless chunk extension': `${chunked}3;${'a'.repeat(300)}`,
    'a malformed trailer': `${chunked}0\r\nx : a\r\n\r\n`,
    'a length in a trailer': `${chunked}0\r\nContent-Length: 3\r\n\r\n`,
    'chunks in a trailer': `${chunked}0\r\ntransfer-encoding: chunked\r\n\r\n`,
    'an endless trailer': `${chunked}0\r\nx: ${'a'.repeat(17_000)}`,
    'a huge field': `${start}x: ${'a'.repeat(17_000)}`,
    'a huge field that ends': `${start}x: ${'a'.repeat(17_000)}\r\n\r\n`,
    'too many fields': `${start}${'x:\r\n'.repeat(1001)}\r\n`,
  };
}
