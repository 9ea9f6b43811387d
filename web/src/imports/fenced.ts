/** A text as a block of code, in a fence that the text does not end itself. */
export function fenced(text: string, language = ''): string {
  if (text === '') return '';
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
