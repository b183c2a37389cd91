import { suggestion } from '../base/nearest.ts';
import { Redactor } from '../base/redact.ts';
import { version } from '../base/version.ts';
import type { Command } from './command.ts';
import { clock } from './commands/clock.ts';
import { events } from './commands/events.ts';
import { replay } from './commands/replay.ts';
import { sandbox } from './commands/sandbox.ts';
import { seed } from './commands/seed.ts';
import { trigger } from './commands/trigger.ts';
import type { Console } from './console.ts';
import { help, helpOf, program } from './help.ts';
import { Failure, UsageProblem } from './problems.ts';
import { readArguments } from './read-arguments.ts';

/** Longer than any message that is meant, in characters. */
const maxMessageLength = 2_000;

const commands: readonly Command[] = [sandbox, trigger, events, seed, clock, replay];

function find(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const known = [...commands.map((candidate) => candidate.name), 'help'];
  throw new UsageProblem(`there is no command '${name}'.${suggestion(name, known)}`);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

async function dispatch([name, ...rest]: readonly string[], console: Console): Promise<void> {
  if (name === undefined) throw new UsageProblem('expected a command, got nothing.');
  if (name === '--version' || name === '-v') return console.print(version);
  if (name === '--help' || name === '-h') return console.print(help(commands));
  if (name === 'help') {
    return console.print(rest[0] === undefined ? help(commands) : helpOf(find(rest[0])));
  }
  const command = find(name);
  if (asksForHelp(rest)) return console.print(helpOf(command));
  return command.run(readArguments(command, rest), console);
}

/** Prints a problem on one line. The command line may hold a key in the wrong place, and control characters. */
function report({ tell }: Console, problem: string, advice = ''): void {
  tell(new Redactor().text(`${program}${problem}`, maxMessageLength) + advice);
}

/** Does what the arguments say. Resolves with the exit code; what is wrong is one line on the output for messages. */
export async function run(args: readonly string[], console: Console): Promise<number> {
  try {
    await dispatch(args, console);
    return 0;
  } catch (error) {
    if (error instanceof UsageProblem) {
      const about = error.command === undefined ? '' : ` ${error.command}`;
      report(console, `${about}: ${error.message}`, ` See '${program} help${about}'.`);
      return 2;
    }
    const reason = error instanceof Failure ? error.message : `unexpected: ${String(error)}`;
    report(console, `: ${reason}`);
    return 1;
  }
}
