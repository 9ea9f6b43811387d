import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { test } from 'node:test';
import { checkPng } from '../../src/appearance/check-png.ts';
import { checkSvg } from '../../src/appearance/check-svg.ts';
import { startStage } from './stage.ts';

const arch = `<?xml version="1.0" encoding="utf-8"?>
<!-- drawn by hand -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <defs><linearGradient id="g"><stop offset="0" stop-color="#123456"/></linearGradient></defs>
  <title>Ours &amp; yours</title>
  <g fill="url(#g)"><path d="M3 22V11a9 9 0 0 1 18 0v11z"/></g>
</svg>`;

/** Each is a way to do more than be looked at. */
const hostile = [
  '<script>alert(1)</script>',
  '<path d="M0 0" onload="alert(1)"/>',
  '<image href="https://example.org/x.png"/>',
  '<path fill="url(https://example.org/x)"/>',
  '<path fill="URL( //example.org/x)"/>',
  '<style>@import "https://example.org/x.css"</style>',
  '<path style="background:url(//x)"/>',
  '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
  '<use xlink:href="data:image/svg+xml;base64,AA"/>',
  '<a href="javascript:alert(1)"><path/></a>',
  '<animate attributeName="href" to="javascript:alert(1)"/>',
  '<path d="&#x6a;avascript"/>',
  '<title>&secret;</title>',
  '<path xmlns="http://www.w3.org/1999/xhtml"/>',
  '<![CDATA[<script>]]>',
  '<?php evil ?>',
  '<path/ onload=alert(1)>',
];

test('a logo is shapes and nothing else', () => {
  assert.equal(checkSvg(Buffer.from(arch)), undefined);
  assert.equal(checkSvg(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), undefined);
  for (const inside of hostile)
    assert.notEqual(checkSvg(Buffer.from(arch.replace('<g ', `${inside}<g `))), undefined, inside);
  for (const whole of [
    '',
    'hello',
    '<html></html>',
    '<svg></svg>',
    arch + arch,
    `${arch}<script>alert(1)</script>`,
    arch.replace('</svg>', ''),
    arch.replace('</g>', '</svg>'),
    `<!DOCTYPE svg [<!ENTITY a "b">]>${arch}`,
    `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(10_000)}`,
  ])
    assert.notEqual(checkSvg(Buffer.from(whole)), undefined, whole.slice(0, 60));
  assert.notEqual(checkSvg(Buffer.from([0x3c, 0xff, 0xfe])), undefined);
});

test('a PNG is one from its first byte to its last, and of a size that can be shown', () => {
  assert.equal(checkPng(png(64, 64)), undefined);
  for (const wrong of [
    png(4096, 4096),
    png(0, 1),
    png(8, 8).subarray(0, -5),
    Buffer.from('GIF89a'),
    Buffer.alloc(0),
  ])
    assert.notEqual(checkPng(wrong), undefined);
  assert.match(String(checkPng(Buffer.concat([png(8, 8), Buffer.from('<script>')]))), /follows/);
});

test('administrators give the house a name, a colour and a picture, and everybody sees them before signing in', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const stranger = stage.visitor();
  const patch = 'PATCH /console/administration/appearance';
  const put = 'PUT /console/administration/appearance/logo';
  const name = '<script>alert(1)</script>';
  await root.ok(patch, {
    body: { name, accent: '#FFEE00', signInLead: 'Of the university', signInHelp: '' },
  });
  const logo = { type: 'image/svg+xml', base64: Buffer.from(arch).toString('base64') } as const;
  const { logoUrl } = await root.ok(put, { body: logo });
  const { service } = await stranger.ok('GET /console/session');
  assert.deepEqual([service.name, service.accent, service.logoUrl], [name, '#ffee00', logoUrl]);
  assert.match(String(logoUrl), /^\/logo\?version=[\da-f]+$/);

  const evil = Buffer.from(arch.replace('<g ', '<script/><g ')).toString('base64');
  await root.refused(put, 400, 'invalid_parameter', { body: { ...logo, base64: evil } });
  await root.refused(put, 400, 'invalid_parameter', { body: { ...logo, type: 'image/png' } });
  await root.refused(put, 400, 'invalid_parameter', { body: { ...logo, type: 'text/html' } });
  const large = Buffer.concat([png(8, 8), Buffer.alloc(130 * 1024)]).toString('base64');
  await root.refused(put, 400, 'invalid_parameter', { body: { type: 'image/png', base64: large } });
  for (const wrong of [
    { name: ' ' },
    { name: 'x'.repeat(61) },
    { accent: 'red' },
    { accent: '#12345' },
    { colour: 'x' },
  ])
    await root.refused(patch, 400, 'invalid_parameter', { body: wrong });
  assert.deepEqual((await stranger.ok('GET /console/session')).service.logoUrl, logoUrl, 'nothing changed');

  await root.ok('DELETE /console/administration/appearance/logo');
  await root.ok(patch, { body: { accent: null } });
  const { service: plain } = await stranger.ok('GET /console/session');
  assert.deepEqual([plain.accent, plain.logoUrl, plain.name], [null, null, name]);
  const { entries } = await root.ok('GET /console/administration/audit', {
    query: { kind: 'appearance-changed' },
  });
  assert.equal(entries.length, 4);
});

function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(Math.min(width * height + height, 1000)));
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
