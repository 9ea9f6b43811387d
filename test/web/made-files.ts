import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Real files of the kinds that people bring, good and bad, made here byte by byte. */

export interface MadeFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A PDF with a page for each text; a page without text holds a drawing alone, as a scan does. */
export function pdf(name: string, pages: readonly string[], encryption = ''): MadeFile {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [index, text] of pages.entries()) {
    const lines = text.match(/.{1,90}(\s|$)/g) ?? [];
    const shown = lines.map((line) => `(${line.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj T*`).join('\n');
    const content = text === '' ? '0 0 200 200 re f' : `BT /F1 10 Tf 12 TL 50 780 Td\n${shown}\nET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let body = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${encryption} >>\nstartxref\n${body.length}\n%%EOF`;
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`;
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(body, 'latin1') };
}

/** 城门 in an encoding that only a map of characters explains, as documents from China have. */
export function chinesePdf(name: string): MadeFile {
  const font =
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>';
  const { buffer } = pdf(name, ['@@']);
  const text = buffer
    .toString('latin1')
    .replace('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>', font)
    .replace('(@@)', '<57CE95E8>');
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(text, 'latin1') };
}

/** No password opens it: what it says about its password is made up. */
export function protectedPdf(name: string): MadeFile {
  const digest = '41'.repeat(32);
  return pdf(
    name,
    ['secret'],
    `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${digest}> /U <${digest}> >> /ID [<41> <41>]`,
  );
}

/** Pages that refer to each other in a circle, a stream that is none, and a promise of many more. */
export function hostilePdf(name: string): MadeFile {
  const { buffer } = pdf(name, ['Page one.']);
  const text = buffer
    .toString('latin1')
    .replace('/Count 1', '/Count 2147483647')
    .replace('/Kids [4 0 R]', '/Kids [2 0 R]')
    .replace(/stream\n[\s\S]*endstream/, 'stream\n\u0000\u0001');
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(text, 'latin1') };
}

export function docx(name: string): MadeFile {
  const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="x"><w:body>
    <w:p><w:r><w:t>Inventory of the </w:t></w:r><w:r><w:t>gatehouse &amp; garden</w:t></w:r></w:p>
    <w:tbl><w:tr>${cell('Item')}${cell('Count')}</w:tr><w:tr>${cell('Lanterns')}${cell('17')}</w:tr></w:tbl>
    <w:p><w:r><w:t>Signed by the keeper.</w:t></w:r></w:p></w:body></w:document>`;
  const mimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  return { name, mimeType, buffer: zip('word/document.xml', Buffer.from(xml)) };
}

export function notebook(name: string): MadeFile {
  const cells = [
    { cell_type: 'markdown', metadata: {}, source: ['# Tides\n', 'Measured at the quay.'] },
    {
      cell_type: 'code',
      metadata: {},
      execution_count: 1,
      source: ['print(max(heights))'],
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['4.2 metres\n'] }],
    },
    {
      cell_type: 'code',
      metadata: {},
      execution_count: 2,
      source: 'plot(heights)',
      outputs: [
        {
          output_type: 'display_data',
          metadata: {},
          data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': ['<Figure>'] },
        },
      ],
    },
  ];
  const content = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
  return { name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) };
}

/** So many megabytes of measurements, and one line among them that is worth finding. */
export function csv(megabytes: number): Buffer {
  const line = 'station,2026-01-01T00:00:00Z,12.5,ordinary weather with nothing to tell about it\n';
  const half = Buffer.from(line.repeat((megabytes * 500_000) / line.length));
  const special = Buffer.from('station,2026-06-21T12:00:00Z,99.9,a marmalade storm over Umbrellaton\n');
  return Buffer.concat([Buffer.from('name,time,value,remark\n'), half, special, half]);
}

/** Grey, with one dark half. */
export function png(name: string, width: number, height: number): MadeFile {
  const row = Buffer.alloc(width + 1, 200);
  row[0] = 0;
  const dark = Buffer.alloc(width + 1, 40);
  dark[0] = 0;
  const rows = Array.from({ length: height }, (_, index) => (index < height / 2 ? row : dark));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const buffer = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

/** An archive of one compressed file. */
function zip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    fields,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\u0005\u0006'), end]);
}
