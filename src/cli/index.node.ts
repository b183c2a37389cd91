#!/usr/bin/env node
import { errorCode } from '../base/functions.ts';
import { run } from './run.node.ts';

const { stdout, stderr } = process;

stdout.on('error', (error) => {
  // A reader such as `head` closes the pipe when it has enough.
  if (errorCode(error) === 'EPIPE') process.exit(0);
  stderr.write(`payments-client: the results cannot be written: ${error.message}.\n`);
  process.exit(1);
});
// There is nowhere left to report it.
stderr.on('error', () => {});

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Waits for a signal to stop, or for the terminal to close. A second signal ends the process immediately. */
function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) process.off(signal, end);
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
}

/** Returns the working directory, or the folder of this program if that one was deleted. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return import.meta.dirname;
  }
}

process.exitCode = await run(process.argv.slice(2), {
  stdout,
  stderr,
  untilInterrupted,
  folder: workingDirectory(),
});
