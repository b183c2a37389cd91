import { Command, CommanderError } from 'commander';
import { suggestion } from '../base/nearest.ts';
import { Redactor } from '../base/redact.ts';
import { version } from '../base/version.ts';
import { addClock } from './commands/clock.ts';
import { addEvents } from './commands/events.ts';
import { addFaults } from './commands/faults.ts';
import { addProbe } from './commands/probe.ts';
import { addReplay } from './commands/replay.ts';
import { addRequests } from './commands/requests.ts';
import { addSandbox } from './commands/sandbox.ts';
import { addSeed } from './commands/seed.ts';
import { addTrigger } from './commands/trigger.ts';
import type { Console } from './console.ts';
import { Failure, UsageProblem } from './problems.ts';

const name = 'payments-client';

const commands = [
  ...[addSandbox, addTrigger, addEvents, addRequests],
  ...[addFaults, addSeed, addClock, addReplay],
  addProbe,
];

/** Longer than any message of ours, in characters. */
const maxMessageLength = 3_000;

/** Finds the command that words name, as far as they name one. */
function find(program: Command, words: readonly string[]) {
  let command = program;
  for (const [index, word] of words.entries()) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) return { command, path: words.slice(0, index), unknown: word };
    command = next;
  }
  return { command, path: words, unknown: undefined };
}

function addHelp(program: Command): void {
  program
    .command('help [command...]')
    .description('Shows the help of a command, as <command> --help does.')
    .action((words: readonly string[]) => {
      const { command, unknown } = find(program, words);
      if (unknown === undefined) return command.help();
      const known = command.commands.map((candidate) => candidate.name());
      throw new UsageProblem(`expected a command, got '${unknown}'.${suggestion(unknown, known)}`);
    });
}

function createProgram(console: Console): Command {
  const program = new Command(name)
    .usage('<command> [options]')
    .description(
      'A sandbox of the payment service on this machine, and a probe of a real one. Neither moves money.',
    )
    .version(version, '-v, --version', 'Shows the version.')
    .helpOption('-h, --help', 'Shows this help.')
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.print(text.trimEnd()),
      // `run` reports every problem, on one line.
      writeErr: () => {},
      getOutHelpWidth: () => 100,
    })
    .addHelpText('after', '\nExit codes: 0 done, 1 it could not be done, 2 the command line is wrong.');
  for (const add of commands) add(program, console);
  addHelp(program);
  return program;
}

/** One sentence. Commander writes `error: unknown option '--x'`, and its suggestion on a line of its own. */
function sentenceOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'expected a command, got nothing.';
  const text = message.replace(/^error: /, '').replace(/\n\(/, ' (');
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Prints a problem on one line. The command line may hold a key in the wrong place, and control characters. */
function report({ tell }: Console, problem: string, advice = ''): void {
  tell(new Redactor().text(`${name}${problem}`, maxMessageLength) + advice);
}

/** Does what the arguments say. Resolves with the exit code; what is wrong is one line on the output for messages. */
export async function run(args: readonly string[], console: Console): Promise<number> {
  const program = createProgram(console);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      const { path } = find(program, args[0] === 'help' ? [] : args);
      const about = path.map((word) => ` ${word}`).join('');
      report(console, `${about}: ${sentenceOf(error)}`, ` See '${name} help${about}'.`);
      return 2;
    }
    const reason = error instanceof Failure ? error.message : `unexpected: ${String(error)}`;
    report(console, `: ${reason}`);
    return 1;
  }
}
