import type { Logger } from '#vocabulary/logger';

/** JSON lines, levels and names as pino would write them, so that the gateway can join them to its own log. */
export function createLineLogger(output: { write(line: string): unknown }, fields: object = {}): Logger {
  const write = (level: number, extra: object, message: string): void => {
    const line = { level, time: Date.now(), ...fields, ...describe(extra), msg: message };
    output.write(`${JSON.stringify(line)}\n`);
  };
  return {
    debug: () => {},
    info: (extra, message) => write(30, extra, message),
    warn: (extra, message) => write(40, extra, message),
    error: (extra, message) => write(50, extra, message),
    child: (more) => createLineLogger(output, { ...fields, ...more }),
  };
}

function describe(extra: object): object {
  if (!('error' in extra) || !(extra.error instanceof Error)) return extra;
  const { name, message, stack, cause } = extra.error;
  return {
    ...extra,
    error: { type: name, message, stack, ...(cause instanceof Error && { cause: cause.message }) },
  };
}
