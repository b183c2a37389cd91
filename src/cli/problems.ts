import { CommanderError } from 'commander';

/** The command line itself is wrong: exit code 2. Commander throws the same kind of error for what it checks. */
export class UsageProblem extends CommanderError {
  constructor(message: string) {
    super(2, 'payments-client.usage', message);
  }
}

/** What was asked for could not be done: exit code 1. */
export class Failure extends Error {
  /** For programs, such as `NO_SANDBOX`, or the code with which a sandbox refused. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}
