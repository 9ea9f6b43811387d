export interface Column<Row> {
  readonly title: string;
  readonly align?: 'right';
  cell(this: void, row: Row): string;
}

/** Columns as wide as their widest cell, two blanks apart; no cell is cut. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => cell(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines.map((line) => formatLine(line, columns, widths)).join('');
}

function formatLine<Row>(
  cells: readonly string[],
  columns: readonly Column<Row>[],
  widths: readonly number[],
): string {
  const padded = cells.map((cell, index) => {
    const width = widths[index] ?? 0;
    return columns[index]?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
  });
  return `${padded.join('  ').trimEnd()}\n`;
}

/**
 * RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front: names are written by
 * anybody and opened by operators.
 */
export function formatCsv(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
