/** The command line itself is wrong: exit code 2. */
export class UsageProblem extends Error {
  /** The command that it was meant for; `undefined` where none is known. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.name = 'UsageProblem';
    this.command = command;
  }
}

/** What was asked for could not be done: exit code 1. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Failure';
  }
}
