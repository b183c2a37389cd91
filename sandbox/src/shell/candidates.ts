import type { Argument, Command, Option } from 'commander';

/** A word that the shell may complete to. */
export interface Candidate {
  readonly word: string;
  /** The description; empty for a value. */
  readonly help: string;
}

/** Tells the shell to complete file names. */
export const files = 'files';

/** The parser state before the word to complete. */
interface Position {
  command: Command;
  /** How many operands were read. */
  operands: number;
  /** The option whose value comes next. */
  pending: Option | undefined;
}

function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  help.showGlobalOptions = true;
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function findOption(command: Command, name: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => name === long || name === short);
}

function commandsOf(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

/** Reads a word before the one to complete. */
function pass(position: Position, word: string): void {
  const { command, pending, operands } = position;
  position.pending = undefined;
  if (word.startsWith('-')) {
    // After `=` the value is already present.
    const option = findOption(command, word);
    if (option?.required || option?.optional) position.pending = option;
  } else if (pending === undefined) {
    const next = operands === 0 ? commandsOf(command).find((one) => one.name() === word) : undefined;
    if (next === undefined) position.operands += 1;
    else position.command = next;
  }
}

function positionAfter(program: Command, words: readonly string[]): Position {
  const position: Position = { command: program, operands: 0, pending: undefined };
  // `help faults inject` completes like `faults inject`.
  for (const word of words[0] === 'help' ? words.slice(1) : words) pass(position, word);
  return position;
}

function choicesOf(choices: readonly string[] = [], before = ''): readonly Candidate[] {
  return choices.map((choice) => ({ word: before + choice, help: '' }));
}

/** Returns the values of an option; a value named `file` in its help is a file. */
function valuesOf(option: Option, before: string): readonly Candidate[] | typeof files {
  return /[<[]file[>\]]/.test(option.flags) ? files : choicesOf(option.argChoices, before);
}

function namesOf(command: Command): readonly Candidate[] {
  return optionsOf(command).map(({ long, flags, description }) => ({
    word: long ?? flags,
    help: description,
  }));
}

function operandsOf({ command, operands }: Position): readonly Candidate[] {
  const names = operands > 0 ? [] : commandsOf(command);
  const { subcommandDescription } = command.createHelp();
  const argument: Argument | undefined = command.registeredArguments[operands];
  return [
    ...names.map((one) => ({ word: one.name(), help: subcommandDescription(one) })),
    ...choicesOf(argument?.argChoices),
  ];
}

/**
 * Returns the completions of the last word, from the program's commands and options.
 *
 * @param words The words of a command line after the program's name. The last word may be empty.
 */
export function candidatesFor(
  program: Command,
  words: readonly string[],
): readonly Candidate[] | typeof files {
  const word = words.at(-1) ?? '';
  const position = positionAfter(program, words.slice(0, -1));
  const { command, pending } = position;
  const [, before = '', name = ''] = /^((--[\w-]+)=)/.exec(word) ?? [];
  const option = before === '' ? pending : findOption(command, name);
  const isName = word.startsWith('-') && (option === undefined || (option.optional && before === ''));
  if (option !== undefined && !isName) {
    const values = valuesOf(option, before);
    return values === files ? files : values.filter((one) => one.word.startsWith(word));
  }
  const operands = operandsOf(position);
  const found = isName || operands.length === 0 ? namesOf(command) : operands;
  return found.filter((one) => one.word.startsWith(word));
}
