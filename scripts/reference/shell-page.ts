/** Writes the tables of `docs/sandbox-shell.md` and `docs/probe.md` from the program's own description of its commands. */

import type { Argument, Command, Option } from 'commander';
import { controlOptions } from '../../sandbox/src/shell/control-client.ts';
import { tableOf, withParts } from './page-parts.ts';

/** Loads the program late, since `npm run generate` has just written some of its commands. */
async function loadProgram(): Promise<Command> {
  const { createProgram } = await import('../../sandbox/src/shell/run.ts');
  const { stdout, stderr } = process;
  return createProgram({ stdout, stderr, folder: '.', untilInterrupted: async () => {} }).program;
}

/** Marks options, variables, forms and names in a text of the help as code. */
function marked(text: string): string {
  return text.replaceAll(/\{[^}]*\}|--[a-z-]+|(?<![\w/.])\w+_\w+(?![\w/])/g, '`$&`');
}

/** The commands with a section of their own. */
const withSection = ['sandbox', 'completion'];

/** `probe` has a page of its own. */
const left = ['probe', 'help'];

/** Returns the words to choose from if there are few. */
function fewOf({ argChoices = [] }: Argument | Option): readonly string[] {
  return argChoices.length <= 5 ? argChoices : [];
}

function optionRow(option: Option): readonly string[] {
  const { flags, description } = option;
  const words = fewOf(option);
  const choices = words.length === 0 ? '' : ` One of ${words.join(', ')}.`;
  return [`\`${flags}\``, marked(description) + choices];
}

/** Returns an operand of a usage: its values if there are few, otherwise its name. */
function operandText(operand: Argument): string {
  const text = fewOf(operand).join('|') || operand.name();
  return operand.required ? `<${text}>` : `[${text}]`;
}

/** Returns the visible options of a command, without those that many commands share. */
function ownOptions(command: Command): readonly Option[] {
  const all = command.createHelp().visibleOptions(command);
  return all.filter(
    (option) =>
      option.long !== '--help' &&
      !controlOptions.some(({ description }) => description === option.description),
  );
}

/** Returns the commands without subcommands, by their full names. */
function leavesOf(command: Command, path = ''): readonly (readonly [name: string, leaf: Command])[] {
  const visible = command.createHelp().visibleCommands(command);
  if (visible.length === 0) return [[path.trim(), command]];
  return visible.flatMap((one) => leavesOf(one, `${path} ${one.name()}`));
}

/** Returns the paragraphs of a description, without the examples. */
function paragraphsOf(command: Command): readonly string[] {
  return command
    .description()
    .split('\n\n')
    .filter((text) => !text.startsWith('Examples:'));
}

/** Indented lines of the help are code. */
function paragraph(text: string): string {
  return text.startsWith('  ') ? `\`\`\`\n${text.replaceAll(/^ {2}/gm, '')}\n\`\`\`` : marked(text);
}

function section(name: string, command: Command): string {
  const rows = ownOptions(command).map(optionRow);
  const table = rows.length === 0 ? [] : [tableOf(['option', ''], rows)];
  return [`## ${name}`, ...paragraphsOf(command).map(paragraph), ...table].join('\n\n');
}

/** Returns the row of a command, and a row for each of its options. */
function rowsOf(name: string, command: Command): readonly (readonly string[])[] {
  const usage = [name, ...command.registeredArguments.map(operandText)].join(' ');
  return [
    [`**\`${usage}\`**`, marked(paragraphsOf(command).join(' '))],
    ...ownOptions(command).map(optionRow),
  ];
}

/** Returns the page of the probe with a current table. */
export async function writeProbePage(): Promise<string> {
  const leaves = new Map(leavesOf(await loadProgram()));
  const probe = leaves.get('probe');
  if (probe === undefined) throw new Error("Expected a command 'probe', got none.");
  return withParts('docs/probe.md', { options: tableOf(['option', ''], ownOptions(probe).map(optionRow)) });
}

/** Returns the page with current tables. */
export async function writeShellPage(): Promise<string> {
  const program = await loadProgram();
  const leaves = leavesOf(program);
  const sections = leaves.filter(([name]) => withSection.includes(name));
  const others = leaves.filter(([name]) => !withSection.includes(name) && !left.includes(name));
  return withParts('docs/sandbox-shell.md', {
    ...Object.fromEntries(sections.map(([name, command]) => [name, section(name, command)])),
    commands: tableOf(
      ['command', ''],
      others.flatMap(([name, command]) => rowsOf(name, command)),
    ),
    'common options': tableOf(['option', ''], [...ownOptions(program), ...controlOptions].map(optionRow)),
  });
}
