import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';
import { getOnly, type Handler } from './get-only.ts';

/** The built web application, held in memory: a megabyte or two, with the copies that the build has compressed. */
export function createPages(
  directory: string,
  directAddress: (modelName: string) => string | undefined,
): Handler {
  const files = readFiles(directory);
  return (exchange) => {
    const file =
      files.get(exchange.path) ??
      (isPageAddress(exchange) ? (files.get('/index.html') ?? unbuilt) : undefined);
    if (file === undefined) throw nothingHere(exchange, directAddress);
    return getOnly(() => sendFile(exchange, file))(exchange);
  };
}

/** Scripts, styles and fonts come from here alone; nothing of a model's or a person's making can run or load. */
export const pageHeaders: readonly string[] = [
  'content-security-policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy',
  'same-origin',
  'cross-origin-opener-policy',
  'same-origin',
  'permissions-policy',
  'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
];

interface PageFile {
  readonly type: string;
  readonly isImmutable: boolean;
  readonly tag: string;
  readonly plain: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

const unbuilt = describe(
  '.html',
  Buffer.from(
    '<!doctype html><meta charset="utf-8"><title>Gatehouse</title><p>The web application has not been built. Run <code>npm run build -w web</code> and start again. The APIs work without it.',
  ),
  false,
);

function readFiles(directory: string): Map<string, PageFile> {
  const files = new Map<string, PageFile>();
  let entries;
  try {
    entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  } catch {
    return files;
  }
  const names = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const name of names) {
    if (isCompressedCopy(name)) continue;
    const address = `/${relative(directory, name).split(sep).join('/')}`;
    const copy = (ending: string) => (names.has(name + ending) ? readFileSync(name + ending) : undefined);
    files.set(address, {
      ...describe(extname(name), readFileSync(name), address.startsWith('/assets/')),
      brotli: copy('.br'),
      gzip: copy('.gz'),
    });
  }
  return files;
}

function isCompressedCopy(name: string): boolean {
  return /\.(br|gz)$/.test(name);
}

function describe(extension: string, plain: Buffer, isImmutable: boolean): PageFile {
  return {
    type: contentTypes[extension] ?? 'application/octet-stream',
    isImmutable,
    tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    brotli: undefined,
    gzip: undefined,
  };
}

function sendFile(exchange: Exchange, file: PageFile): void {
  const headers = ['content-type', file.type, 'etag', file.tag, 'vary', 'accept-encoding'];
  headers.push('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (exchange.headers['if-none-match'] === file.tag) {
    exchange.reply.begin(304, headers);
    exchange.reply.end();
    return;
  }
  const accepted = exchange.headers['accept-encoding'] ?? '';
  const [encoding, body] =
    file.brotli !== undefined && /\bbr\b/.test(accepted)
      ? ['br', file.brotli]
      : file.gzip !== undefined && /\bgzip\b/.test(accepted)
        ? ['gzip', file.gzip]
        : [undefined, file.plain];
  if (encoding !== undefined) headers.push('content-encoding', encoding);
  headers.push('content-length', String(body.length));
  exchange.reply.begin(200, headers);
  if (exchange.method === 'HEAD') exchange.reply.end();
  else exchange.reply.end(body);
}

/** Addresses inside the application are its own to route; programs that ask for JSON get a proper 404. */
function isPageAddress(exchange: Exchange): boolean {
  if (exchange.path === '/') return true;
  const accepted = exchange.headers.accept ?? '';
  return (
    accepted.includes('text/html') && extname(exchange.path) === '' && !/^\/v1(\/|$)/i.test(exchange.path)
  );
}

function nothingHere({ path }: Exchange, directAddress: (modelName: string) => string | undefined): Refusal {
  const [, modelName = ''] = path.split('/', 2);
  const address = directAddress(modelName);
  const direct =
    address === undefined
      ? "the page Connect of the web chat shows each model's direct address"
      : `the direct address of \`${modelName.slice(0, 100)}\` is ${address}`;
  return new Refusal(
    'not_found',
    `There is nothing at ${path.slice(0, 200)}. The API is at /api/chat/completions and /api/models with an API key; ${direct}.`,
  );
}
