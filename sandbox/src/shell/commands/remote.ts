import type { Command, Option } from 'commander';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Console } from '../console.ts';
import { type ControlClient, type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { type FieldValue, setOption, toFields } from '../field-values.ts';
import { describe } from '../help.ts';
import { linesOf } from '../lines.ts';
import {
  choiceOperand,
  choiceOption,
  flag,
  integerFrom,
  operand,
  option,
  optionalOperand,
  readText,
  repeatedOption,
  withOptions,
} from '../options.ts';
import { Failure } from '../problems.ts';
import { Progress } from '../progress.ts';
import type { ShellArgument, ShellCommand } from '../shell-command.ts';
import { shellCommands } from '../shell-commands.ts';
import { visible } from '../visible.ts';

/** The answer of the control API. */
interface Performed {
  readonly result?: unknown;
  readonly message: string;
  readonly details: readonly string[];
}

const isPerformed = (answer: unknown): answer is Performed =>
  isRecord(answer) && typeof answer['message'] === 'string' && Array.isArray(answer['details']);

/** The option of `payment_method` is `--payment-method`. */
const dashed = (name: string): string => name.replaceAll('_', '-');

function operandFor({ name, choices, help, isRequired }: ShellArgument) {
  if (choices !== undefined) return choiceOperand(name, choices);
  return isRequired ? operand(name, help) : optionalOperand(name, help);
}

function optionFor({ name, kind, help, choices }: ShellArgument): Option {
  const flags = `--${dashed(name)}`;
  if (kind === 'flag') return flag(flags, help);
  if (kind === 'fields') return setOption(help);
  if (kind === 'count') return option(`${flags} <count>`, help, integerFrom(0));
  if (kind === 'texts') return repeatedOption(`${flags} <text>`, help, readText);
  if (choices === undefined) return option(`${flags} <text>`, help, readText);
  return choiceOption(`${flags} <${name}>`, help, choices);
}

/** Options by their names in commander, which are in camelCase. */
type Given = ControlOptions & { readonly set?: readonly FieldValue[] } & Readonly<Record<string, unknown>>;

/** Collects the arguments of a command from its operands and options. */
function argsOf(
  { args, rest }: ShellCommand,
  operands: readonly unknown[],
  given: Given,
  made: readonly Option[],
) {
  const fields = toFields(given.set);
  const collected: Record<string, unknown> = rest === undefined ? {} : { ...fields };
  const words = [...operands];
  const options = [...made];
  for (const one of args) {
    const { name, kind } = one;
    const value = one.isOperand ? words.shift() : given[options.shift()?.attributeName() ?? name];
    if (kind === 'fields') Object.assign(collected, given.set !== undefined && { [name]: fields });
    else if (value !== undefined) collected[name] = value;
  }
  return collected;
}

/** Shows the progress of a command that takes long. */
async function performInSteps(client: ControlClient, body: object, console: Console): Promise<Performed> {
  const response = await client.open('commands', { accept: 'application/x-ndjson', body });
  const progress = new Progress(console);
  try {
    for await (const line of linesOf(response)) {
      const step = parseJson(line);
      if (isPerformed(step)) return step;
      if (!isRecord(step)) continue;
      progress.show(Number(step['done']), Number(step['total']));
    }
  } catch (error) {
    throw new Failure('NO_SANDBOX', `the sandbox stopped before the work was complete: ${String(error)}`);
  } finally {
    progress.end();
  }
  throw new Failure('NO_SANDBOX', 'the sandbox stopped before the work was complete.');
}

function plural(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}s`;
}

function add(group: Command, word: string, row: ShellCommand, console: Console): void {
  const operands = row.args.filter(({ isOperand }) => isOperand);
  const options = row.args.filter(({ isOperand }) => !isOperand).map(optionFor);
  const command = describe(group.command(word), row);
  for (const one of operands) {
    command.addArgument(operandFor(one));
    const { name, choices } = one;
    if (choices === undefined) continue;
    const lines = choices.words.map((value) => `  ${value}`);
    command.addHelpText('after', `\n${plural(name)}:\n${lines.join('\n')}`);
  }
  const rest = row.rest === undefined ? [] : [setOption(row.rest)];
  withOptions(command, ...options, ...rest, ...controlOptions).action(async (...all: unknown[]) => {
    // Commander passes the operands, the options and the command.
    const given = all[operands.length] as Given;
    const body = { name: row.name, args: argsOf(row, all, given, options) };
    const client = controlClient(given);
    const answer = row.hasSteps
      ? await performInSteps(client, body, console)
      : await client.post('commands', body);
    if (!isPerformed(answer))
      throw new Failure('NO_SANDBOX', 'expected the answer of a sandbox, got another.');
    const { result, message, details } = answer;
    const isEmpty = Array.isArray(result) && result.length === 0;
    const text = [message, ...details.map((line) => `  ${line}`)].map(visible).join('\n');
    if (isEmpty) console.tell(text);
    else console.print(result ?? { message }, text);
  });
}

const groups: Readonly<Record<string, string>> = {
  clock: 'Advances the clock of a running sandbox.',
  webhooks: 'Lists and changes the webhook endpoints of a running sandbox, and delivers events again.',
};

function groupNamed(program: Command, name: string): Command {
  const known = program.commands.find((one) => one.name() === name);
  if (known !== undefined) return known;
  const examples = shellCommands.flatMap((row) => (row.name.startsWith(`${name}.`) ? row.examples : []));
  return describe(program.command(name).helpCommand(false), {
    summary: groups[name] ?? `Acts on the ${name} of a running sandbox.`,
    examples,
  });
}

/** Adds every command of the sandbox's table. */
export function addRemote(program: Command, console: Console): void {
  for (const row of shellCommands) {
    const [first = '', second] = row.name.split('.');
    if (second === undefined) add(program, first, row, console);
    else add(groupNamed(program, first), second, row, console);
  }
}
