import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A registry on loopback with packages of the given files, for the real npm client to talk to. */
export interface PackageRegistry extends AsyncDisposable {
  readonly url: string;
}

export type PackageFiles = Readonly<Record<string, Buffer | string>>;

export async function openPackageRegistry(
  packages: Readonly<Record<string, PackageFiles>>,
): Promise<PackageRegistry> {
  const tarballs = new Map(Object.entries(packages).map(([name, files]) => [name, packTarball(name, files)]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const tarball = tarballs.get(path.replace(/\.tgz$/, ''));
    if (tarball === undefined) return void response.writeHead(404).end('{}');
    if (path.endsWith('.tgz')) return void response.end(tarball);
    const files = packages[path] ?? {};
    const unpackedSize = Object.values(files).reduce((sum, content) => sum + content.length, 0);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `${url()}/${encodeURIComponent(path)}.tgz`, integrity, unpackedSize };
    const versions = { '1.0.0': { name: path, version: '1.0.0', dist } };
    response.setHeader('content-type', 'application/json');
    return void response.end(JSON.stringify({ name: path, 'dist-tags': { latest: '1.0.0' }, versions }));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** In the order given, as `npm publish` would write it but for that order. */
export function packTarball(name: string, files: PackageFiles): Buffer {
  const manifest = JSON.stringify({ name, version: '1.0.0' });
  const blocks = Object.entries({ 'package.json': manifest, ...files }).flatMap(([path, content]) => {
    const body = Buffer.from(content);
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
    return [tarHeader(`package/${path}`, body.length), body, padding];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function tarHeader(name: string, bytes: number, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
