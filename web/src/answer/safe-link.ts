/** Model text may link to the web and to mailboxes, nowhere else. Anything odd is no link at all. */
export function safeLink(address: string): string | undefined {
  let url: URL;
  try {
    url = new URL(address.trim());
  } catch {
    return undefined;
  }
  return allowedSchemes.has(url.protocol) ? url.href : undefined;
}

const allowedSchemes = new Set(['http:', 'https:', 'mailto:']);
