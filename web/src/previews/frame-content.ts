import type { Preview, PreviewKind } from './preview.ts';
import { readCsv } from './read-csv.ts';

/** What the sealed frame is given: a document, then scripts that find the source in `window.source`. */
export interface FrameContent {
  readonly html: string;
  readonly scripts: readonly string[];
  readonly source: string;
}

/** Libraries are read as text from our own files and run inside the frame alone; this page never runs them. */
export async function frameContent({ kind, source }: Preview): Promise<FrameContent> {
  switch (kind) {
    case 'html':
      return { html: source, scripts: [], source: '' };
    case 'svg':
      return { html: page(`<main class="drawing">${source}</main>`), scripts: [], source: '' };
    case 'csv':
      return { html: page(table(source)), scripts: [], source: '' };
    case 'mermaid':
    case 'vega':
      return {
        html: page('<main class="drawing" id="drawing"></main>'),
        source,
        scripts: await scriptsFor(kind),
      };
  }
}

async function scriptsFor(kind: Extract<PreviewKind, 'mermaid' | 'vega'>): Promise<readonly string[]> {
  const { libraries, draw } = (await import('./libraries.ts')).drawings[kind];
  return [...(await Promise.all(libraries.map(readText))), draw];
}

async function readText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`there is no ${address}`);
  return await response.text();
}

function table(source: string): string {
  const { rows, isCut } = readCsv(source);
  const [head = [], ...body] = rows;
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}${isNumber(cell) ? ' class="number"' : ''}>${escape(cell)}</${tag}>`).join('');
  const lines = body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${lines}</tbody></table>${isCut ? '<p>…</p>' : ''}`;
}

function isNumber(cell: string): boolean {
  return /^\s*-?[\d.,]+\s*%?$/.test(cell);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function page(body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><body>${body}`;
}

const style = `
  :root { color-scheme: light dark; --line: #d9d4c8; --ink: #22262a; --head: #f4f1ea; --paper: #fffdf8 }
  @media (prefers-color-scheme: dark) { :root { --line: #3a4147; --ink: #e6e2da; --head: #262c31; --paper: #1d2226 } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
  .drawing { display: flex; justify-content: center; padding: 24px }
  .drawing > svg { max-width: 100%; height: auto }
  pre { white-space: pre-wrap; padding: 24px; margin: 0 }
  table { border-collapse: collapse; min-width: 100%; font-variant-numeric: tabular-nums }
  th, td { border-bottom: 1px solid var(--line); padding: 6px 14px; text-align: start; white-space: pre-wrap; vertical-align: top }
  th { position: sticky; top: 0; background: var(--head); font-weight: 600 }
  .number { text-align: end }
`;
