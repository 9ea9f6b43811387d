import { DocumentProblem } from '../document-problem.ts';
import type { ReadDocument } from './read-document.ts';

const maxOutputCharacters = 20_000;

/** Cell by cell: text as it is, code in fences, and what it printed. Pictures and other displays are left out. */
export function readNotebook(text: string): ReadDocument {
  const pages: { number: number; text: string }[] = [];
  for (const [index, cell] of cellsOf(text).entries()) {
    const written = writeCell(cell).trim();
    if (written !== '') pages.push({ number: index + 1, text: written });
  }
  const last = pages.at(-1);
  if (last === undefined) throw new DocumentProblem('empty');
  return { kind: 'notebook', pages, pageCount: last.number, emptyPages: 0 };
}

type Fields = Readonly<Record<string, unknown>>;

function cellsOf(text: string): readonly Fields[] {
  try {
    const notebook = JSON.parse(text) as { readonly cells?: unknown } | null;
    if (Array.isArray(notebook?.cells)) return notebook.cells.filter(isFields);
  } catch {
    // Said below.
  }
  throw new DocumentProblem('unreadable');
}

function writeCell(cell: Fields): string {
  const source = joined(cell['source']);
  if (cell['cell_type'] !== 'code') return source;
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isFields) : [];
  const printed = outputs.map(outputText).filter((output) => output !== '');
  const fenced = `\`\`\`\n${source}\n\`\`\``;
  return [fenced, ...printed.map((output) => `Output:\n${output.slice(0, maxOutputCharacters)}`)].join(
    '\n\n',
  );
}

function outputText(output: Fields): string {
  if (output['output_type'] === 'error') return `${String(output['ename'])}: ${String(output['evalue'])}`;
  const data = isFields(output['data']) ? output['data'] : {};
  return joined(output['text'] ?? data['text/plain'] ?? data['text/markdown']);
}

function joined(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === 'string').join('');
  return typeof value === 'string' ? value : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
