/** Whether one of the texts holds what is looked for. */
export function isFound(searched: string, texts: readonly string[]): boolean {
  const needle = searched.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(needle));
}
