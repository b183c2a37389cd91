#!/usr/bin/env node
import { processConsole } from './cli/console.ts';
import { run } from './cli/run.ts';

// Whoever reads may stop reading, as `head` does; there is nobody left to tell.
process.stdout.on('error', () => process.exit(0));

// No await at the top: CommonJS has none, and the program shares its code with that form of the sandbox.
void run(process.argv.slice(2), processConsole()).then((code) => {
  process.exitCode = code;
});
