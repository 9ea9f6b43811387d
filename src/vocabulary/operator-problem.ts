/**
 * Something only the operator can put right: a full disk, a wrong setting, a data directory of a newer version.
 * The message is a whole sentence that says what to do; it is printed without a stack.
 */
export class OperatorProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OperatorProblem';
  }
}
