/** Where `$ref` may lead inside one document: its root, schemas with an `$id` of their own, and anchors. */
export interface SchemaAddresses {
  /** Whether a schema below the top has an address of its own, so that references mean different things. */
  readonly hasInner: boolean;
  /** The JSON pointer that a reference made at `path` means; undefined when it leads out of the document. */
  pointerOf(reference: string, path: string): string | undefined;
}

/** Stands in for the address of a document that has none. */
const nameless = 'schema://document/';

export function readSchemaAddresses(schema: unknown): SchemaAddresses {
  /** By address, without its fragment. */
  const resources = new Map<string, string>();
  const anchors = new Map<string, string>();
  const bases = new Map<string, string>([['', nameless]]);

  const visit = (value: object, place: Place | undefined, outer: string): void => {
    let base = outer;
    if (!Array.isArray(value) && ('$id' in value || '$anchor' in value)) {
      const path = pathOf(place);
      const { $id: id, $anchor: anchor } = value as Readonly<Record<string, unknown>>;
      if (typeof id === 'string' && !id.startsWith('#') && URL.canParse(id, outer)) {
        base = withoutFragment(new URL(id, outer));
        resources.set(base, path);
        bases.set(path, base);
      } else if (typeof id === 'string') anchors.set(`${base}${id}`, path);
      if (typeof anchor === 'string') anchors.set(`${base}#${anchor}`, path);
    }
    for (const [key, member] of Object.entries(value) as [string, unknown][])
      if (typeof member === 'object' && member !== null && !holdsValues.has(key))
        visit(member, { key, within: place }, base);
  };
  if (typeof schema === 'object' && schema !== null) visit(schema, undefined, nameless);
  const rootBase = bases.get('') ?? nameless;
  resources.set(rootBase, '');
  const legacyId = (schema as Readonly<Record<string, unknown>>)['id'];
  if (typeof legacyId === 'string' && URL.canParse(legacyId))
    resources.set(withoutFragment(new URL(legacyId)), '');

  const baseAt = (path: string): string => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const base = bases.get(at);
      if (base !== undefined) return base;
    }
    return rootBase;
  };

  const pointerAt = (address: string, encoded: string): string | undefined => {
    const resource = resources.get(address);
    const fragment = decoded(encoded);
    if (resource === undefined || fragment === undefined) return undefined;
    if (fragment === '' || fragment.startsWith('/')) return `${resource}${fragment}`;
    return anchors.get(`${address}#${fragment}`);
  };

  return {
    hasInner: [...bases.keys()].some((path) => path !== ''),
    pointerOf: (reference, path) => {
      const base = baseAt(path);
      if (reference.startsWith('#')) return pointerAt(base, reference.slice(1));
      if (!URL.canParse(reference, base)) return undefined;
      const url = new URL(reference, base);
      return pointerAt(withoutFragment(url), url.hash.slice(1));
    },
  };
}

/** Spelled out as a path only for the few that have an address. */
interface Place {
  readonly key: string;
  readonly within: Place | undefined;
}

function pathOf(place: Place | undefined): string {
  return place === undefined ? '' : `${pathOf(place.within)}/${escapePointer(place.key)}`;
}

export function escapePointer(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** What stands under these is data, however much it looks like a schema. */
const holdsValues: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example']);

function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length).replace(/#$/, '');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
