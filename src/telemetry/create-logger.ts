import type { Logger } from '#vocabulary/logger';
import { type BufferedOutput, createBufferedOutput } from './buffered-output.ts';
import { writeFields } from './log-line.ts';
import { prettyLine } from './pretty-line.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface LogWriter {
  readonly log: Logger;
  /** Writes what is still buffered and returns when it is out. Also done when the process exits. */
  flush(): void;
}

interface LineOutput {
  write(line: string): unknown;
}

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `auto` is pretty on a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty';
  /** Standard output unless told otherwise. Takes one line at a time, with its line end. */
  readonly destination?: LineOutput;
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Lines are buffered so that logging never waits for a disk. */
export function createLogger({ level, format, destination }: LoggerOptions): LogWriter {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const buffered = destination === undefined && !isPretty ? bufferedStdout() : undefined;
  const output = destination ?? process.stdout;
  const least = levels.indexOf(level);
  const timestamp = isoTimestamp();

  /** With fields that every line of this logger carries. */
  function loggerWith(bound: string): Logger {
    return {
      debug: writerAt('debug', bound),
      info: writerAt('info', bound),
      warn: writerAt('warn', bound),
      error: writerAt('error', bound),
      child: (fields) => loggerWith(bound + writeFields(fields)),
    };
  }

  function writerAt(name: 'debug' | 'info' | 'warn' | 'error', bound: string): Logger['info'] {
    if (levels.indexOf(name) < least) return () => {};
    const head = `{"level":"${name}"`;
    return (fields, message) => {
      const now = Date.now();
      const make = () => {
        const text = JSON.stringify(message);
        return withoutSecrets(`${head}${timestamp(now)}${bound}${writeFields(fields)},"message":${text}}\n`);
      };
      if (buffered !== undefined)
        buffered.write(isPlain(fields as Readonly<Record<string, unknown>>) ? make : make());
      else output.write(isPretty ? prettyLine(make()) : make());
    };
  }

  return { log: loggerWith(''), flush: () => buffered?.flushSync() };
}

/** Texts and numbers stay what they are; errors and lists are written down at once. */
function isPlain(fields: Readonly<Record<string, unknown>>): boolean {
  for (const name in fields) if (typeof fields[name] === 'object' && fields[name] !== null) return false;
  return true;
}

/** Writing a date out costs as much as the rest of the line; it is done once a second. */
function isoTimestamp(): (now: number) => string {
  let second = 0;
  let prefix = '';
  return (now) => {
    const nowSecond = Math.floor(now / 1000);
    if (nowSecond !== second) {
      second = nowSecond;
      prefix = `,"time":"${new Date(nowSecond * 1000).toISOString().slice(0, 20)}`;
    }
    return `${prefix}${String(now - nowSecond * 1000).padStart(3, '0')}Z"`;
  };
}

function bufferedStdout(): BufferedOutput {
  const buffered = createBufferedOutput(process.stdout.fd);
  process.on('exit', () => buffered.flushSync());
  return buffered;
}
