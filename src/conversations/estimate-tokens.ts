/** What a message costs beside its text: its role and its borders in the template. */
export const tokensPerMessage = 6;
/** What a picture costs, about, in the size in which pages send it. */
export const tokensPerPicture = 1200;
export const charactersPerToken = 3.2;

/** Rather too many than too few: English has about four letters to a token, most scripts have fewer. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u0400-\u{10FFFF}]/gu)?.length ?? 0;
  return Math.ceil((text.length - wide) / charactersPerToken + wide * 0.8);
}
