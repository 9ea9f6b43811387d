import { OperatorProblem } from '#vocabulary/operator-problem';

/** Where a model comes from, as people write it on the command line. */
export type ModelReference =
  | {
      readonly kind: 'hub';
      readonly repository: string;
      readonly file: string;
      readonly revision: string;
    }
  | { readonly kind: 'web'; readonly url: URL }
  | { readonly kind: 'packages'; readonly packages: readonly string[] }
  | { readonly kind: 'file'; readonly path: string };

/** Nothing of a reference reaches a shell, a path or a header without having matched one of these shapes. */
export function parseModelReference(text: string): ModelReference {
  const [, scheme, rest] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
  switch (scheme) {
    case 'hf':
      return parseHub(rest ?? '');
    case 'https':
    case 'http':
      return parseWeb(text);
    case 'npm':
      return parsePackages(rest ?? '');
    case 'file':
      return { kind: 'file', path: (rest ?? '').replace(/^\/\/(?=\/)/, '') };
    default:
      throw new OperatorProblem(
        `"${printable(text)}" is not a model reference. Write hf:owner/repository/file.gguf, https://…, npm:package, or file:path.`,
      );
  }
}

/** Fit to be shown and kept: without the query of a URL, where signatures and tokens travel. */
export function describeReference(reference: ModelReference): string {
  switch (reference.kind) {
    case 'hub':
      return `hf:${reference.repository}/${reference.file}@${reference.revision}`;
    case 'web':
      return `${reference.url.origin}${reference.url.pathname}`;
    case 'packages':
      return `npm:${reference.packages.join(',')}`;
    default:
      return `file:${reference.path}`;
  }
}

function parseHub(rest: string): ModelReference {
  const [, path = '', revision = 'main'] = /^([^@]*)(?:@(.+))?$/.exec(rest) ?? [];
  const segments = path.split('/');
  const [owner, repository, ...file] = segments;
  if (file.length === 0 || !segments.every(isSegment) || !revision.split('/').every(isSegment))
    throw new OperatorProblem(
      `"${printable(`hf:${rest}`)}" does not name a file on the hub. Write hf:owner/repository/file.gguf, with @revision at the end if you need one.`,
    );
  return { kind: 'hub', repository: `${owner}/${repository}`, file: file.join('/'), revision };
}

function parseWeb(text: string): ModelReference {
  const url = URL.parse(text);
  if (url === null) throw new OperatorProblem(`"${printable(text)}" is not an address. Check it.`);
  if (url.username !== '' || url.password !== '')
    throw new OperatorProblem(
      'Leave the name and password out of the address; they would be kept beside the file.',
    );
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new OperatorProblem(`Models are fetched over https only. Try https://${url.host}${url.pathname}`);
  return { kind: 'web', url };
}

/** What comes from this very machine needs no encryption. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

function parsePackages(rest: string): ModelReference {
  const packages = rest.split(',').map((name) => name.trim());
  const wrong = packages.find((name) => name.length > 214 || !packageShape.test(name));
  if (wrong !== undefined)
    throw new OperatorProblem(
      `"${printable(wrong)}" is not a package name. Write npm:name or npm:@scope/name@version, several with commas between them.`,
    );
  return { kind: 'packages', packages };
}

const packageShape = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(?:@[A-Za-z0-9^~][A-Za-z0-9._+-]*)?$/;

function isSegment(segment: string): boolean {
  return segment.length <= 200 && /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/.test(segment);
}

function printable(text: string): string {
  return text.slice(0, 120).replaceAll(/\p{Cc}/gu, '?');
}
