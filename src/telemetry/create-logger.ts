import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { Logger } from '#vocabulary/logger';
import { createBufferedOutput } from './buffered-output.ts';
import { prettyLine } from './pretty-line.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface LogWriter {
  readonly log: Logger;
  /** Writes what is still buffered and returns when it is out. Also done when the process exits. */
  flush(): void;
}

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `auto` is pretty on a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty';
  /** Standard output unless told otherwise. Takes one line at a time, with its line end. */
  readonly destination?: DestinationStream;
}

/** Lines are buffered so that logging never waits for a disk. */
export function createLogger({ level, format, destination }: LoggerOptions): LogWriter {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const output = destination ?? (isPretty ? process.stdout : bufferedStdout());
  const log: PinoLogger = pino(
    {
      level,
      base: null,
      timestamp: isoTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
      errorKey: 'error',
      serializers: { error: pino.stdSerializers.err, cause: pino.stdSerializers.err },
    },
    {
      write(line) {
        const clean = withoutSecrets(line);
        output.write(isPretty ? prettyLine(clean) : clean);
      },
    },
  );
  return { log, flush: () => flushSync(output) };
}

/** Writing a date out costs as much as the rest of the line; it is done once a second. */
function isoTimestamp(): () => string {
  let second = 0;
  let prefix = '';
  return () => {
    const now = Date.now();
    const nowSecond = Math.floor(now / 1000);
    if (nowSecond !== second) {
      second = nowSecond;
      prefix = `,"time":"${new Date(nowSecond * 1000).toISOString().slice(0, 20)}`;
    }
    return `${prefix}${String(now % 1000).padStart(3, '0')}Z"`;
  };
}

function bufferedStdout(): DestinationStream & { flushSync(): void } {
  const buffered = createBufferedOutput(process.stdout.fd);
  process.on('exit', () => buffered.flushSync());
  return buffered;
}

function flushSync(output: DestinationStream): void {
  if ('flushSync' in output && typeof output.flushSync === 'function') output.flushSync();
}
