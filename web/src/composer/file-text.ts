export const maxFileBytes = 300_000;

/** A text file as part of a message: its name and its text, fenced. Undefined for what is no text or too long. */
export async function textOf(file: File): Promise<string | undefined> {
  if (file.size > maxFileBytes) return undefined;
  const text = readText(await file.arrayBuffer());
  if (text === undefined) return undefined;
  // Longer than any fence inside.
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const language = /\.([A-Za-z0-9]{1,12})$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  return `${file.name}:\n${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function readText(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') || text.startsWith('%PDF') ? undefined : text;
  } catch {
    return undefined;
  }
}
