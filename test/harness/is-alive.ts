/** Whether there is such a process; one that has ended and is not yet buried counts. */
export function isAlive(processId: number | undefined): boolean {
  try {
    return processId !== undefined && process.kill(processId, 0);
  } catch {
    return false;
  }
}
