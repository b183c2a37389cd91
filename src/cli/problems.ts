import { CommanderError } from 'commander';

/** The command line itself is wrong: exit code 2. Commander throws the same kind of error for what it checks. */
export class UsageProblem extends CommanderError {
  constructor(message: string) {
    super(2, 'payments-client.usage', message);
  }
}

/** What was asked for could not be done: exit code 1. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Failure';
  }
}
