import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorProblem } from '#vocabulary/operator-problem';

/** systemd is on the same machine, and answers at once or not at all. */
const longestMs = 10_000;

/**
 * Tells systemd, where it started us and wants to know, that this process serves and is the one to watch. After
 * `gatehouse restart` that is another process than the one it started. Throws when systemd cannot be told.
 */
export async function announceToServiceManager(): Promise<void> {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  try {
    // Node has no datagrams over unix sockets; systemd's own program is wherever systemd is.
    await promisify(execFile)('systemd-notify', ['READY=1', `MAINPID=${process.pid}`], {
      timeout: longestMs,
    });
  } catch (cause) {
    throw new OperatorProblem(
      'systemd could not be told that the service runs. The unit needs NotifyAccess=all, and the program systemd-notify must be there.',
      cause,
    );
  }
}
