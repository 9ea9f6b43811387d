/** RFC 4180. A name that a spreadsheet would take for a formula is kept from being one. */
export function writeCsv(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
