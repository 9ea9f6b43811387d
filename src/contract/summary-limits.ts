/** Beside the shapes, so that a page that only wants the number does not bring them along. */
export const maxSummaryCharacters = 20_000;
