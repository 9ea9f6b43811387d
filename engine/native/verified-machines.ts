import { OperatorProblem } from '#vocabulary/operator-problem';

/** Machines for which the native code of the embedded engine is known by its digest (`overrides` in package.json). */
const verifiedMachines: readonly string[] = ['linux-x64', 'linux-arm64'];

/** Native code that nobody could compare with a digest is not run. */
export function requireVerifiedMachine(machine = `${process.platform}-${process.arch}`): void {
  if (verifiedMachines.includes(machine)) return;
  throw new OperatorProblem(
    `The embedded engine is not available on ${machine}: the digest of its native code for this system is not known. It runs on ${verifiedMachines.join(' and ')}. Run llama-server beside Gatehouse and name it as an engine in the settings.`,
  );
}
