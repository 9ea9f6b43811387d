/** JSON whose numbers keep their spelling: 1.0 is not the same text as 1. The types of TypeScript do not know this yet. */
interface SpellingJson {
  parse(
    text: string,
    revive: (name: string, value: unknown, at: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}

const json = JSON as unknown as SpellingJson;

export function parseSpelled(text: string): unknown {
  return json.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  );
}

export function isSpelledNumber(value: unknown): boolean {
  return json.isRawJSON(value);
}
