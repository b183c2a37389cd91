import { Command, CommanderError, Option } from 'commander';
import { errorCode } from '../base/thrown.ts';
import { meantBy, Redactor, version } from '../sdk.ts';
import { addCompletion } from './commands/completion.ts';
import { addEnv } from './commands/env.ts';
import { addEvents } from './commands/events.ts';
import { addFaults } from './commands/faults.ts';
import { addOrders } from './commands/orders.ts';
import { addProbe } from './commands/probe.ts';
import { addRemote } from './commands/remote.ts';
import { addRequests } from './commands/requests.ts';
import { addSandbox } from './commands/sandbox.ts';
import {
  type Console,
  consoleFor,
  type Outputs,
  type Settings,
  type Surroundings,
  widthOf,
} from './console.ts';
import { describe, layout, maxWidth } from './help.ts';
import { flag, option, readText, withOptions } from './options.ts';
import { Failure, UsageProblem } from './problems.ts';

const name = 'payments-client';
const site = 'https://github.com/payments-client/payments-client';

const commands = [
  addSandbox,
  addEnv,
  addOrders,
  addEvents,
  addRequests,
  addFaults,
  addRemote,
  addProbe,
  addCompletion,
];

/** Longer than any of our messages, in characters. */
const maxMessageLength = 3_000;

/** Finds the command that words name, and the remaining words. */
function find(program: Command, words: readonly string[]) {
  let command = program;
  for (const [index, word] of words.entries()) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) return { command, path: words.slice(0, index), unknown: word };
    command = next;
  }
  return { command, path: words, unknown: undefined };
}

/** Commands of the tools of other payment services, and our command lines without the program's name. */
const otherCommands: Readonly<Record<string, string>> = {
  listen: 'sandbox --forward-to <address>',
  login: 'sandbox',
  logs: 'requests --follow',
};

function expectedCommand(command: Command, word: string): string {
  const known = command
    .createHelp()
    .visibleCommands(command)
    .map((candidate) => candidate.name());
  const isOther = command.parent === null && Object.hasOwn(otherCommands, word);
  const hint = isOther ? ` (did you mean '${name} ${otherCommands[word]}'?)` : meantBy(word, known);
  return `expected a command, got '${word}'${hint}.`;
}

function addHelp(program: Command): void {
  program
    .command('help [command...]')
    .description('Shows the help of a command, as <command> --help does.')
    .action((words: readonly string[]) => {
      const { command, unknown } = find(program, words);
      if (unknown === undefined) return command.help();
      throw new UsageProblem(expectedCommand(command, unknown));
    });
}

const settings = [
  flag('--json', 'Prints results as lines of JSON, and errors as JSON.'),
  flag(
    '--color',
    'Uses colours. Default: on a terminal, unless NO_COLOR is set or TERM is dumb; also if FORCE_COLOR is.',
  ),
  flag('--no-color', 'Uses no colours.'),
  option(
    '--env <file>',
    'Reads variables from this file, such as .env. Does not override variables that are set.',
    readText,
  ),
];

function loadEnvironment({ env }: Settings): void {
  if (env === undefined) return;
  try {
    process.loadEnvFile(env);
  } catch (error) {
    throw new UsageProblem(`expected --env to be a file of variables, got '${env}' (${errorCode(error)}).`);
  }
}

/** Adds `-V`, and `-v` as Node and npm have. */
function addVersion(program: Command, { stdout }: Outputs): void {
  program
    .version(version, '-V, --version', 'Shows the version.')
    .addOption(new Option('-v').hideHelp())
    .on('option:v', () => {
      stdout.write(`${version}\n`);
      throw new CommanderError(0, 'commander.version', version);
    });
}

/** Creates the program, which `run` runs and the reference describes. */
export function createProgram(surroundings: Surroundings) {
  const { stdout, stderr } = surroundings;
  const program = new Command(name);
  const given = (): Settings => program.opts<Settings>();
  const console = consoleFor({ stdout, stderr }, given);
  describe(program, {
    summary: 'Runs a local sandbox of the payment service, and probes a real service. Neither moves money.',
    examples: ['sandbox', 'env', 'orders', 'trigger checkout.session.completed', 'help trigger'],
  })
    .usage('<command> [options]')
    .helpOption('-h, --help', 'Shows this help.')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ ...layout, styleTitle: (title) => console.paint('bold', title) })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Only help is written here: `run` reports every error, on one line.
      writeErr: (text) => given().json || stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(widthOf(stdout, maxWidth), maxWidth),
      getErrHelpWidth: () => Math.min(widthOf(stderr, maxWidth), maxWidth),
      // `paint` decides about colours.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .hook('preAction', () => loadEnvironment(given()))
    .addHelpText(
      'after',
      `\nExit codes: 0 success, 1 failure, 2 invalid command line.\nGuides and support: ${site}`,
    );
  withOptions(program, ...settings);
  addVersion(program, { stdout, stderr });
  for (const add of commands) add(program, console, surroundings);
  addHelp(program);
  return { program, console, given };
}

/** Formats an error as one sentence. Commander writes `error: unknown option '--x'`, and its suggestion on a separate line. */
function sentenceOf({ code, message }: CommanderError, command: Command): string {
  if (code === 'commander.help') return 'expected a command, got nothing.';
  // A default command receives the unknown word as its argument.
  const [excess] = command.commands.flatMap(({ args }) => args);
  if (code === 'commander.excessArguments' && excess !== undefined) return expectedCommand(command, excess);
  const [word] = command.args;
  if (code === 'commander.unknownCommand' && word !== undefined) return expectedCommand(command, word);
  const text = message.replace(/^error: /, '').replace(/\n\(/, ' (');
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Reports an error on one line. The command line may contain a misplaced key, or control characters. */
function report(console: Console, code: string, about: string, problem: string, advice = ''): void {
  const redact = (text: string) => new Redactor().text(text, maxMessageLength) + advice;
  console.fail({ code, message: redact(problem) }, redact(`${name}${about}: ${problem}`));
}

/**
 * Returns the arguments with the options of the connection behind the words of the command, where commander expects them: `webhooks --url …
 * list` is a command line too.
 */
function withConnectionLast(args: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const words: string[] = [];
  const connection: string[] = [];
  for (const [index, word] of args.slice(0, end).entries()) {
    const isValue = /^--(?:url|secret-key)$/.test(args[index - 1] ?? '');
    const isConnection = isValue || /^--(?:url|secret-key)(?:=|$)/.test(word);
    (isConnection ? connection : words).push(word);
  }
  return [...words, ...connection, ...args.slice(end)];
}

/** Runs the program. Resolves with the exit code; writes an error as one line to the output for messages. */
export async function run(line: readonly string[], surroundings: Surroundings): Promise<number> {
  const args = withConnectionLast(line);
  const { program, console, given } = createProgram(surroundings);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (error.code === 'commander.help' && !given().json) return 2;
      const words = args.filter((word) => !word.startsWith('-'));
      const { command, path } = find(program, words[0] === 'help' ? [] : words);
      const about = path.map((word) => ` ${word}`).join('');
      report(console, 'USAGE', about, sentenceOf(error, command), ` See '${name} help${about}'.`);
      return 2;
    }
    if (error instanceof Failure) report(console, error.code, '', error.message);
    else
      report(
        console,
        'UNEXPECTED',
        '',
        `unexpected: ${String(error)}.`,
        ` Please report it at ${site}/issues.`,
      );
    return 1;
  }
}
