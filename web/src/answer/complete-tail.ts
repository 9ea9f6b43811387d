/**
 * Closes what a half-arrived last line leaves open (emphasis, code, links), and holds back a mark that cannot
 * be read yet. Pure text to text; only ever applied to the last block of a growing answer.
 */
export function completeTail(text: string): string {
  const lineStart = text.lastIndexOf('\n') + 1;
  if (text.length - lineStart > maxLineCharacters) return text;
  const head = text.slice(0, lineStart);
  return head + closeMarks(holdBackLink(holdBackMath(text.slice(lineStart))));
}

/** No line of prose is so long, and reading one for every token takes a while. */
const maxLineCharacters = 4000;

function closeMarks(line: string): string {
  const codeTicks = line.match(/`+/g) ?? [];
  if (codeTicks.length % 2 === 1) {
    const last = codeTicks.at(-1) ?? '`';
    return line.endsWith(last) ? line.slice(0, -last.length) : line + last;
  }
  const open: string[] = [];
  const withoutCode = line.replaceAll(/`+[^`]*`+/g, (code) => ' '.repeat(code.length));
  for (const match of withoutCode.matchAll(/\\.|\*\*|~~|\*|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu)) {
    const mark = match[0];
    if (mark.startsWith('\\') || isBullet(withoutCode, match.index)) continue;
    if (open.at(-1) === mark) open.pop();
    else open.push(mark);
  }
  let closed = line;
  for (const mark of open.toReversed()) {
    // A mark with nothing behind it would show as itself for one frame.
    closed = closed.endsWith(mark) ? closed.slice(0, -mark.length) : closed.trimEnd() + mark;
  }
  return closed;
}

function isBullet(line: string, index: number): boolean {
  return line.slice(0, index).trim() === '' && line[index + 1] === ' ';
}

/** `[text](https://exa` shows as its text until the address is complete. */
function holdBackLink(line: string): string {
  const open = /!?\[([^\]\n]*)(\](\([^)\n]*)?)?$/.exec(line);
  if (open === null || /^\s*[-*+] \[[ xX]?\]?$/.test(line)) return line;
  return line.slice(0, open.index) + (open[1] ?? '');
}

/** `\(x + y` would lose its backslash and flash as text. */
function holdBackMath(line: string): string {
  const open = line.lastIndexOf('\\(');
  return open >= 0 && !line.includes('\\)', open) ? line.slice(0, open) : line;
}
