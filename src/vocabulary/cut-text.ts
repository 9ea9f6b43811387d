/** The first `length` code units of a text, or one less where the cut would go through a character. */
export function cutText(text: string, length: number): string {
  return text.slice(0, isInsideCharacter(text, length) ? length - 1 : length);
}

/** Whether a cut before `index` would leave half a character on each side. */
export function isInsideCharacter(text: string, index: number): boolean {
  return (
    index > 0 &&
    isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) &&
    isBetween(text.charCodeAt(index), 0xdc00, 0xdfff)
  );
}

function isBetween(value: number, first: number, last: number): boolean {
  return value >= first && value <= last;
}
