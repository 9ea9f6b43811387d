/** What somebody pasted: lines, commas, semicolons, or `Ada Lovelace <ada@example.org>` as mail programs write it. */
export function readAddresses(written: string): {
  readonly addresses: readonly string[];
  /** At most five, as they were written. */
  readonly wrong: readonly string[];
} {
  const addresses = new Set<string>();
  const wrong: string[] = [];
  for (const piece of written.split(separators)) {
    const text = piece.trim();
    if (text === '') continue;
    const address = /<([^<>]+)>$/.exec(text)?.[1]?.trim() ?? text;
    if (/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(address)) addresses.add(address.toLowerCase());
    else wrong.push(text.slice(0, 60));
  }
  return { addresses: [...addresses], wrong: wrong.slice(0, 5) };
}

/** Not the comma inside of a quoted name. */
const separators = /[\n;]+|,(?=(?:[^"\n]*"[^"\n]*")*[^"\n]*(?:\n|$))/;

/** Nothing in a link or an address needs quoting but what a spreadsheet would run. */
export function linksAsCsv(links: readonly { readonly email: string; readonly url: string }[]): string {
  const lines = links.map(({ email, url }) => `${cell(email)},${cell(url)}`);
  return `${['email,link', ...lines].join('\r\n')}\r\n`;
}

function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
