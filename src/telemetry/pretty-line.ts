import { styleText } from 'node:util';

const colours = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

/** A JSON log line for human eyes. What is not JSON passes as it is. */
export function prettyLine(line: string): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, message, error, ...rest } = fields;
  const colour = colours[level as keyof typeof colours] ?? 'red';
  const details = Object.entries(rest).map(([name, value]) => styleText('gray', ` ${name}=${show(value)}`));
  const clock = styleText('gray', String(time).slice(11, 23));
  const head = `${clock} ${styleText(colour, String(level).padEnd(5))} ${show(message)}${details.join('')}\n`;
  return error === undefined ? head : `${head}${indent(stackOf(error))}\n`;
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function stackOf(error: unknown): string {
  const isError = typeof error === 'object' && error !== null && 'stack' in error;
  return isError ? String(error.stack) : show(error);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
