import type { Command, Option } from './command.ts';

/** The name of the program. */
export const program = 'payments-client';

const width = 100;

/** Breaks a text into lines that are indented but for the first. */
function wrap(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (indent + longer.length <= width || line === '') lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

/** Two columns. */
function table(rows: readonly (readonly [left: string, right: string])[]): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.map(([name, text]) => `  ${name.padEnd(left - 2)}${wrap(text, left)}`).join('\n');
}

function usageOf({ name, operands, required, options }: Command): string {
  const parts = operands.map((operand, index) => (index < required ? operand : `[${operand}]`));
  const some = Object.keys(options).length > 0 ? ['[options]'] : [];
  return [program, name, ...parts, ...some].join(' ');
}

function optionRow([name, { value, multiple, help }]: readonly [string, Option]): readonly [string, string] {
  const repeated = multiple === true ? ' Can be given several times.' : '';
  return [value === undefined ? `--${name}` : `--${name} ${value}`, help + repeated];
}

/** The help of one command: every operand and option, and lines to copy. */
export function helpOf(command: Command): string {
  const options = [
    ...Object.entries(command.options).map(optionRow),
    ['--help', 'Shows this help.'] as const,
  ];
  const parts = [
    `${command.summary}`,
    `Usage:\n  ${usageOf(command)}`,
    `Options:\n${table(options)}`,
    ...(command.notes === undefined ? [] : [wrap(command.notes, 0)]),
    `Examples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`,
  ];
  return parts.join('\n\n');
}

/** The help of the program. */
export function help(commands: readonly Command[]): string {
  const rows = commands.map(
    (command) => [[command.name, ...command.operands].join(' '), command.summary] as const,
  );
  return [
    'A sandbox of the payment service on this machine. It moves no money.',
    `Usage:\n  ${program} <command> [options]`,
    `Commands:\n${table([...rows, ['help <command>', 'Shows the help of a command, as <command> --help does.']])}`,
    `Options:\n${table([
      ['--help', 'Shows this help.'],
      ['--version', 'Shows the version.'],
    ])}`,
    `Exit codes: 0 done, 1 it could not be done, 2 the command line is wrong.`,
  ].join('\n\n');
}
