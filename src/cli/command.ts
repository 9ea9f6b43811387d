/** One word after `gatehouse`. Results go to standard output, everything else to standard error. */
export interface Command {
  readonly name: string;
  /** A few words for the list of commands. */
  readonly summary: string;
  /** All of `gatehouse <name> --help`. */
  readonly usage: string;
  /** The arguments after the name; gives the exit status. May throw `WrongUse`. */
  run(args: readonly string[]): Promise<number>;
}

/** The command was called wrongly: the sentence is shown with a pointer to the help, exit status 2. */
export class WrongUse extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'WrongUse';
  }
}

/** 0 is success. */
export const exitStatus = {
  failed: 1,
  wrongUse: 2,
  /** Restarting does not help until somebody mends the settings; a supervisor may know this number. */
  settingsMistakes: 78,
} as const;
