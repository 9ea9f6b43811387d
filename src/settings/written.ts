import { basename } from 'node:path';
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import type { SettingsMistake } from './mistakes.ts';

/** A value somebody wrote, with the place where it stands. */
export interface Written {
  /** `gatehouse.yaml:12:5`, `environment PORT` or `default`. */
  readonly place: string;
  /** The folder from which its relative paths are meant. */
  readonly folder: string;
  readonly plain: unknown;
  readonly keys: ReadonlyMap<string, WrittenKey> | undefined;
  readonly items: readonly Written[] | undefined;
}

export interface WrittenKey {
  readonly place: string;
  readonly value: Written;
}

/** A settings file as a tree that remembers its lines. Syntax errors become mistakes. */
export function readYaml(
  source: string,
  file: string,
  folder: string,
): { root: Written | undefined; mistakes: readonly SettingsMistake[] } {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${basename(file)}:${line}:${col}`;
  };
  const mistakes = [...document.errors, ...document.warnings].map((error) => ({
    knob: '(file)',
    place: placeOf(error.pos[0]),
    problem: `${error.message.replace(/\.$/, '')}.`,
    remedy: 'Mend the YAML here.',
  }));
  if (mistakes.length > 0 || document.contents === null) return { root: undefined, mistakes };

  function convert(node: Node | null, fallbackPlace: string, depth: number): Written {
    const place = node?.range ? placeOf(node.range[0]) : fallbackPlace;
    if (depth > maxDepth) return scalar(place, null);
    if (isAlias(node)) return { ...convert(node.resolve(document) ?? null, place, depth + 1), place };
    if (isMap<Node, Node | null>(node)) {
      const keys = new Map<string, WrittenKey>();
      for (const pair of node.items) {
        if (!isPair(pair)) continue;
        const name = isScalar(pair.key) ? String(pair.key.value) : '?';
        const keyPlace = pair.key.range ? placeOf(pair.key.range[0]) : place;
        keys.set(name, { place: keyPlace, value: convert(pair.value, keyPlace, depth + 1) });
      }
      const plain = Object.fromEntries([...keys].map(([name, { value }]) => [name, value.plain]));
      return { place, folder, plain, keys, items: undefined };
    }
    if (isSeq<Node | null>(node)) {
      const items = node.items.map((item) => convert(item, place, depth + 1));
      return { place, folder, plain: items.map((item) => item.plain), keys: undefined, items };
    }
    return scalar(place, isScalar(node) ? node.value : null);
  }

  function scalar(place: string, plain: unknown): Written {
    return { place, folder, plain, keys: undefined, items: undefined };
  }

  return { root: convert(document.contents, `${basename(file)}:1:1`, 0), mistakes };
}

/** Deeper than any setting; stops an alias that contains itself. */
const maxDepth = 32;

/** The same tree for a value that comes from a variable or from the table itself. */
export function writtenAs(plain: unknown, place: string, folder: string): Written {
  if (Array.isArray(plain)) {
    const items = plain.map((item) => writtenAs(item, place, folder));
    return { place, folder, plain, keys: undefined, items };
  }
  if (typeof plain === 'object' && plain !== null) {
    const keys = new Map(
      Object.entries(plain).map(([name, value]) => [name, { place, value: writtenAs(value, place, folder) }]),
    );
    return { place, folder, plain, keys, items: undefined };
  }
  return { place, folder, plain, keys: undefined, items: undefined };
}
