import { Argument, type Command, Option } from 'commander';
import { isWebAddress, isWithUser } from '../base/web-address.ts';
import type { Choices } from '../commands/choices.ts';
import { meantBy } from '../sdk.ts';
import { UsageProblem } from './problems.ts';

/** Parses the text of an option, or throws a {@link UsageProblem} that names the option. */
export type Read<Value> = (text: string, name: string) => Value;

/** An option without a value, or with an optional value: without it, the option is true. */
export function flag(name: string, help: string): Option {
  return new Option(name, help);
}

/** An option with a value. The shell completes a value named `file` with files. */
export function option<Value>(flags: string, help: string, read: Read<Value>): Option {
  const made = new Option(flags, help);
  return made.argParser((text: string) => read(text, `--${made.name()}`));
}

/** A repeatable option. */
export function repeatedOption<Value>(flags: string, help: string, read: Read<Value>): Option {
  const made = new Option(flags, `${help} Repeatable.`);
  return made.argParser((text: string, previous: readonly Value[] | undefined) => [
    ...(previous ?? []),
    read(text, `--${made.name()}`),
  ]);
}

function oneOf(choices: Choices): Read<string> {
  const { what, words, others } = choices;
  return (text, name) => {
    if (words.includes(text)) return text;
    throw new UsageProblem(`expected ${name} to be ${what}, got '${text}'${meantBy(text, words, others)}.`);
  };
}

/** An option with a fixed set of values, which the shell completes. */
export function choiceOption(flags: string, help: string, choices: Choices): Option {
  const read = oneOf(choices);
  const made = new Option(flags, help).choices(choices.words);
  return made.argParser((text: string) => read(text, `--${made.name()}`));
}

/** An operand. */
export function operand(name: string, help: string): Argument {
  return new Argument(`<${name}>`, help);
}

/** An operand that may be left out. */
export function optionalOperand(name: string, help: string): Argument {
  return new Argument(`[${name}]`, help).argParser((text: string) => readText(text, `<${name}>`));
}

/** An operand with a fixed set of values, which the shell completes. */
export function choiceOperand(name: string, choices: Choices): Argument {
  const read = oneOf(choices);
  return new Argument(`<${name}>`)
    .choices(choices.words)
    .argParser((text: string) => read(text, `<${name}>`));
}

/** Adds options to a command, in the order of its help. */
export function withOptions(command: Command, ...options: readonly Option[]): Command {
  for (const one of options) command.addOption(one);
  return command;
}

/** Reads a non-empty text. Another option in its place means that the value is missing. */
export const readText: Read<string> = (text, name) => {
  if (text !== '' && !text.startsWith('--')) return text;
  throw new UsageProblem(`expected a value for ${name}, got ${text === '' ? 'an empty text' : `'${text}'`}.`);
};

/** Reads an integer within a range. */
export function integerFrom(min: number, max = Number.MAX_SAFE_INTEGER): Read<number> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return (text, name) => {
    const value = /^\d+$/.test(readText(text, name)) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageProblem(`expected ${name} to be an integer ${bounds}, got '${text}'.`);
  };
}

/** Reads an absolute URL. */
export const readAddress: Read<string> = (text, name) => {
  if (isWebAddress(text)) return text;
  throw new UsageProblem(`expected ${name} to be an http:// or https:// address, got '${text}'.`);
};

/** A host and a port without a scheme, which `URL` would parse as a scheme. */
const hostAndPort = /^[^/?#@\s]+:\d+(?:[/?#]|$)/;

/** Reads the target of deliveries: an absolute URL, or `localhost:3000/webhooks`. */
export const readReceiver: Read<string> = (text, name) => {
  const address = hostAndPort.test(text) ? `http://${text}` : text;
  const expected = `expected ${name} to be an`;
  if (!isWebAddress(address)) {
    throw new UsageProblem(`${expected} http:// or https:// address, or a host and a port, got '${text}'.`);
  }
  if (!isWithUser(address)) return address;
  throw new UsageProblem(`${expected} address without a user name and a password, got one with them.`);
};

/** `--limit` of commands that list the newest items. */
export function limitOption(what: string): Option {
  const help = `How many of the newest ${what}. Default: 20.`;
  return option('--limit <count>', help, integerFrom(1));
}
