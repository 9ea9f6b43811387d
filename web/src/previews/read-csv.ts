/** Rows of cells; a comma, a semicolon or a tab stands between them, whichever the first line has most of. */
export function readCsv(text: string): {
  readonly rows: readonly (readonly string[])[];
  readonly isCut: boolean;
} {
  const separator = separatorOf(text.slice(0, text.search(/\r?\n|$/)));
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = '';
  };
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index);
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(index + 1) === '"') cell += text.charAt(++index);
      else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) endCell();
    else if (letter === '\n') {
      endCell();
      if (rows.length >= maxRows) return { rows, isCut: true };
      rows.push([]);
    } else if (letter !== '\r') cell += letter;
  }
  endCell();
  return { rows: rows.filter((row) => row.some((value) => value !== '')), isCut: false };
}

const maxRows = 5000;

function separatorOf(line: string): string {
  const count = (candidate: string) => line.split(candidate).length;
  return [',', ';', '\t'].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best));
}
