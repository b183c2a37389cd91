import { parseArgs } from 'node:util';
import { messageOf } from '../base/message-of.ts';
import { suggestion } from '../base/nearest.ts';
import { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageProblem } from './problems.ts';

/** Checks the names first: what Node says about an unknown one leads elsewhere. */
function checkNames({ name, options }: Command, args: readonly string[]): void {
  const end = args.indexOf('--');
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const [, given] = /^--([^=]+)/.exec(arg) ?? [];
    if (given === undefined || given === 'help' || Object.hasOwn(options, given)) continue;
    const hint = suggestion(given, Object.keys(options), (known) => `--${known}`);
    throw new UsageProblem(`there is no option --${given}.${hint}`, name);
  }
}

function checkOperands({ name, operands, required }: Command, given: readonly string[]): void {
  if (given.length < required)
    throw new UsageProblem(`expected ${operands[given.length]}, got nothing.`, name);
  if (given.length <= operands.length) return;
  throw new UsageProblem(`unexpected '${given[operands.length]}'.`, name);
}

/**
 * Reads the arguments of a command.
 *
 * @throws UsageProblem when they are not as its help says.
 */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  checkNames(command, args);
  const options = Object.entries(command.options).map(([name, { value, multiple = false }]) => {
    return [name, { type: value === undefined ? 'boolean' : 'string', multiple } as const] as const;
  });
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(options),
      allowPositionals: true,
    });
    checkOperands(command, positionals);
    return new Arguments(command.name, positionals, { ...values });
  } catch (error) {
    if (error instanceof UsageProblem) throw error;
    // Only the first sentence of Node is about what is wrong.
    const [message = ''] = messageOf(error).split(/\. |\.?\n/);
    throw new UsageProblem(message.endsWith('.') ? message : `${message}.`, command.name);
  }
}
