/**
 * Text without what hides from the eyes of whoever is asked to agree: control characters, marks that turn the
 * direction of writing around, letters without a shape and those of the invisible "tag" alphabet.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}--[\n\t]]/gv, '')
    .replaceAll(/[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, '')
    .toWellFormed();
}
