import { CommanderError } from 'commander';

/** The command line is invalid: exit code 2. Commander throws the same class for its own checks. */
export class UsageProblem extends CommanderError {
  constructor(message: string) {
    super(2, 'payments-client.usage', message);
  }
}

/** The command failed: exit code 1. */
export class Failure extends Error {
  /** A code for programs, such as `NO_SANDBOX`, or the code of the sandbox's error response. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}
