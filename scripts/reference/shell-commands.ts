/** Writes what the table of commands says for the shell, which must not load the sandbox to show its help. */

import type { Argument } from '../../sandbox/src/commands/argument.ts';
import { type AnyCommand, commands } from '../../sandbox/src/commands/table.ts';

function argumentOf([name, { kind, help, isRequired, isOperand, choices }]: [string, Argument<unknown>]) {
  return { name, kind, help, isRequired, isOperand, ...(choices !== undefined && { choices }) };
}

function entryOf({ name, help, args, hasSteps }: AnyCommand) {
  return { name, ...help, hasSteps, args: [...args].map(argumentOf) };
}

/** Returns the module with the commands of the shell. */
export function writeShellCommands(): string {
  const rows = commands.filter(({ isInShell }) => isInShell).map(entryOf);
  return [
    "import type { ShellCommand } from './shell-command.ts';\n\n",
    '/** The commands that act on a running sandbox. `npm run generate` writes this module from the table of the sandbox. */\n',
    `export const shellCommands: readonly ShellCommand[] = [\n${rows.map((row) => `  ${JSON.stringify(row)},\n`).join('')}];\n`,
  ].join('');
}
