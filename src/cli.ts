#!/usr/bin/env node
import { errorCode } from './base/thrown.ts';
import { untilInterrupted } from './cli/interrupt.ts';
import { run } from './cli/run.ts';

const { stdout, stderr } = process;

stdout.on('error', (error) => {
  // A reader such as `head` closes the pipe when it has enough.
  if (errorCode(error) === 'EPIPE') process.exit(0);
  stderr.write(`payments-client: the results cannot be written: ${error.message}.\n`);
  process.exit(1);
});
// There is nowhere left to report it.
stderr.on('error', () => {});

// No await at the top: CommonJS has none, and the program shares its code with that form of the sandbox.
void run(process.argv.slice(2), { stdout, stderr, untilInterrupted }).then((code) => {
  process.exitCode = code;
});
