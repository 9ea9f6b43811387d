import {
  anyCodePoint,
  type CodePointSet,
  complement,
  digits,
  lineTerminators,
  spaces,
  union,
  wordCharacters,
} from './code-points.ts';

/** The part of ECMAScript's regular expressions that is plainly regular: no back references or word boundaries. */
export type Pattern =
  | { readonly kind: 'set'; readonly set: CodePointSet }
  | { readonly kind: 'sequence'; readonly items: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly item: Pattern; readonly min: number; readonly max: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' };

/** What a whole text must begin with besides, or must not: look-ahead that stands behind a `^` at the very beginning. */
export interface LookAhead {
  readonly pattern: Pattern;
  readonly isNegative: boolean;
}

export interface ParsedPattern {
  readonly pattern: Pattern;
  readonly lookAheads: readonly LookAhead[];
}

/** The message completes "The keyword pattern …". */
export class UnsupportedPattern extends Error {}

const lookAround =
  'uses look-around other than behind a leading "^", or inline flags, which are not supported';
const maxPatternLength = 4_096;
const maxGroupDepth = 64;

/** Throws `UnsupportedPattern`. */
export function parsePattern(source: string): ParsedPattern {
  if (source.length > maxPatternLength) throw new UnsupportedPattern('is too long');
  if (!isRegularExpression(source)) throw new UnsupportedPattern('is not a valid regular expression');
  return new PatternReader(source).read();
}

/** Only compiled, never run: running would backtrack. Without the u flag for the needless escapes people write. */
function isRegularExpression(source: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(source, flags).source !== '';
    } catch {
      return false;
    }
  });
}

class PatternReader {
  private readonly characters: readonly string[];
  private position = 0;
  private depth = 0;

  constructor(source: string) {
    this.characters = Array.from(source);
  }

  read(): ParsedPattern {
    const isAtStart = this.take('^');
    const lookAheads = isAtStart ? this.readLookAheads() : [];
    if (isAtStart && lookAheads.length === 0) this.position = 0;
    const pattern = this.readChoice();
    if (this.position < this.characters.length)
      throw new UnsupportedPattern('is not a valid regular expression');
    if (lookAheads.length === 0) return { pattern, lookAheads };
    if (pattern.kind === 'choice') throw new UnsupportedPattern(lookAround);
    return { pattern: { kind: 'sequence', items: [{ kind: 'start' }, pattern] }, lookAheads };
  }

  private readLookAheads(): LookAhead[] {
    const found: LookAhead[] = [];
    for (;;) {
      const opening = this.characters.slice(this.position, this.position + 3).join('');
      if (opening !== '(?=' && opening !== '(?!') return found;
      this.position += opening.length;
      const inner = this.readChoice();
      if (!this.take(')')) throw new UnsupportedPattern('is not a valid regular expression');
      if (this.readQuantifier() !== undefined) throw new UnsupportedPattern(lookAround);
      const pattern: Pattern = { kind: 'sequence', items: [{ kind: 'start' }, inner] };
      found.push({ pattern, isNegative: opening === '(?!' });
    }
  }

  private readChoice(): Pattern {
    const options = [this.readSequence()];
    while (this.take('|')) options.push(this.readSequence());
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options };
  }

  private readSequence(): Pattern {
    const items: Pattern[] = [];
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek()) {
      items.push(this.readQuantified());
    }
    return { kind: 'sequence', items };
  }

  private readQuantified(): Pattern {
    const item = this.readAtom();
    const counts = this.readQuantifier();
    if (counts === undefined) return item;
    this.take('?');
    if (counts[0] > counts[1]) throw new UnsupportedPattern('is not a valid regular expression');
    return { kind: 'repeat', item, min: counts[0], max: counts[1] };
  }

  private readQuantifier(): [number, number] | undefined {
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.take('?')) return [0, 1];
    if (this.peek() !== '{') return undefined;
    const counts = /^\{(\d+)(,(\d*))?\}/.exec(
      this.characters.slice(this.position, this.position + 24).join(''),
    );
    if (counts === null) return undefined;
    this.position += counts[0].length;
    const min = Number(counts[1]);
    if (counts[2] === undefined) return [min, min];
    return [min, counts[3] === undefined || counts[3] === '' ? Infinity : Number(counts[3])];
  }

  private readAtom(): Pattern {
    const character = this.next();
    switch (character) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'set', set: complement(lineTerminators) };
      case '(':
        return this.readGroup();
      case '[':
        return { kind: 'set', set: this.readClass() };
      case '\\':
        return { kind: 'set', set: this.readEscape(false) };
      default:
        return { kind: 'set', set: single(character) };
    }
  }

  private readGroup(): Pattern {
    this.depth += 1;
    if (this.depth > maxGroupDepth) throw new UnsupportedPattern('nests its groups too deep');
    if (this.take('?')) this.skipGroupKind();
    const inner = this.readChoice();
    if (!this.take(')')) throw new UnsupportedPattern('is not a valid regular expression');
    this.depth -= 1;
    return inner;
  }

  private skipGroupKind(): void {
    if (this.take(':')) return;
    const isNamed = this.take('<') && this.peek() !== '=' && this.peek() !== '!';
    if (!isNamed) throw new UnsupportedPattern(lookAround);
    while (this.next() !== '>');
  }

  private readClass(): CodePointSet {
    const isNegated = this.take('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.take(']')) {
      const low = this.readClassMember();
      if (this.peek() === '-' && this.characters[this.position + 1] !== ']') {
        this.position += 1;
        const high = this.readClassMember();
        const [from, to] = [onlyCodePoint(low), onlyCodePoint(high)];
        if (from !== undefined && to !== undefined) ranges.push([from, to]);
        else ranges.push(...low, ...high, [0x2d, 0x2d]);
      } else {
        ranges.push(...low);
      }
    }
    return isNegated ? complement(union(ranges)) : union(ranges);
  }

  private readClassMember(): CodePointSet {
    const character = this.next();
    return character === '\\' ? this.readEscape(true) : single(character);
  }

  private readEscape(isInClass: boolean): CodePointSet {
    const character = this.next();
    const named = namedSets[character];
    if (named !== undefined) return named;
    const control = controlEscapes[character];
    if (control !== undefined) return single(control);
    if (character === 'b' && isInClass) return single('\b');
    if (character === 'x') return single(String.fromCodePoint(this.readHex(2)));
    if (character === 'u') return single(String.fromCodePoint(this.readUnicodeEscape()));
    if (character === '0' && !/\d/.test(this.peek() ?? '')) return single('\0');
    if (/[a-zA-Z0-9]/.test(character)) {
      throw new UnsupportedPattern(`uses "\\${character}", which is not supported`);
    }
    return single(character);
  }

  private readUnicodeEscape(): number {
    if (this.take('{')) {
      let text = '';
      for (let next = this.next(); next !== '}'; next = this.next()) text += next;
      return Number.parseInt(text, 16);
    }
    const first = this.readHex(4);
    const isHigh = first >= 0xd800 && first < 0xdc00;
    if (!isHigh || this.peek() !== '\\' || this.characters[this.position + 1] !== 'u') return first;
    this.position += 2;
    return 0x10000 + ((first - 0xd800) << 10) + (this.readHex(4) - 0xdc00);
  }

  private readHex(length: number): number {
    const text = Array.from({ length }, () => this.next()).join('');
    if (!/^[0-9a-fA-F]+$/.test(text)) throw new UnsupportedPattern('has a malformed escape');
    return Number.parseInt(text, 16);
  }

  private peek(): string | undefined {
    return this.characters[this.position];
  }

  private next(): string {
    const character = this.characters[this.position];
    if (character === undefined) throw new UnsupportedPattern('is not a valid regular expression');
    this.position += 1;
    return character;
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.position += 1;
    return true;
  }
}

const namedSets: Readonly<Record<string, CodePointSet>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
};

const controlEscapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', v: '\v', f: '\f' };

function single(character: string): CodePointSet {
  const codePoint = character.codePointAt(0) ?? 0;
  return union([[codePoint, codePoint]]);
}

function onlyCodePoint(set: CodePointSet): number | undefined {
  const [range] = set;
  return set.length === 1 && range !== undefined && range[0] === range[1] ? range[0] : undefined;
}

/** Any text at all. */
export const anyText: Pattern = {
  kind: 'repeat',
  item: { kind: 'set', set: anyCodePoint },
  min: 0,
  max: Infinity,
};
