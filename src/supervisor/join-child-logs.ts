import type { Readable } from 'node:stream';
import type { Logger } from '#vocabulary/logger';

export interface JoinedLogs {
  /** What the child complained of at last: the first error of the last volley, else its last warning. */
  lastWords(): string | undefined;
}

/**
 * Carries a child's log lines into ours. JSON lines keep their level and fields; anything else (native code
 * writes as it likes) becomes a warning. Lines are cut at 8 KB; past 200 lines in ten seconds they are counted
 * and dropped.
 */
export function joinChildLogs(stream: Readable, logger: Logger, nowMs: () => number): JoinedLogs {
  let rest = '';
  let windowStartMs = nowMs();
  let linesInWindow = 0;
  let volleyError: string | undefined;
  let volleyMs = -Infinity;
  let lastWarning: string | undefined;

  const take = (line: string): void => {
    if (line.trim() === '') return;
    const entry = readLogLine(line);
    if (entry.level === 'warn' && !stackFrame.test(entry.message)) lastWarning = entry.message;
    if (entry.level === 'error') {
      if (nowMs() - volleyMs > volleyPauseMs) volleyError = entry.message;
      volleyMs = nowMs();
    }
    if (nowMs() - windowStartMs > windowMs) {
      reportDropped();
      windowStartMs = nowMs();
      linesInWindow = 0;
    }
    linesInWindow++;
    if (linesInWindow <= linesPerWindow) logger[entry.level](entry.fields, entry.message);
  };
  const reportDropped = (): void => {
    const dropped = linesInWindow - linesPerWindow;
    if (dropped > 0) logger.warn({ dropped }, 'The engine wrote too many log lines; some were left out.');
  };

  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, maxLineLength);
    for (const line of lines) take(line.slice(0, maxLineLength));
  });
  stream.on('end', () => {
    take(rest);
    reportDropped();
  });
  stream.on('error', () => {});
  return { lastWords: () => volleyError ?? lastWarning };
}

const windowMs = 10_000;
const linesPerWindow = 200;
const maxLineLength = 8192;
/** Errors follow upon errors; the one that began it is the cause. */
const volleyPauseMs = 1000;
const stackFrame = /\[0x[0-9a-f]+\]$/;

type Level = 'debug' | 'info' | 'warn' | 'error';

function readLogLine(line: string): { level: Level; fields: object; message: string } {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry === 'object' && entry !== null) {
      const {
        level,
        msg,
        message,
        time: _time,
        pid: _pid,
        hostname: _hostname,
        ...fields
      } = entry as Record<string, unknown>;
      const text = typeof msg === 'string' ? msg : message;
      return { level: readLevel(level), fields, message: typeof text === 'string' ? text : '' };
    }
  } catch {
    // Not JSON: a line from native code.
  }
  return { level: 'warn', fields: {}, message: line.trimEnd() };
}

function readLevel(level: unknown): Level {
  if (typeof level === 'number')
    return level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug';
  return level === 'error' || level === 'warn' || level === 'info' ? level : 'debug';
}
