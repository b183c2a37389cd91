import type { Argument } from '../commands/argument.ts';

/** An argument of a command, without its schema. */
export type ShellArgument = Omit<Argument<unknown>, 'schema'> & { readonly name: string };

/** A command of the sandbox as the shell needs it. */
export interface ShellCommand {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly more?: string;
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
  /** What further fields are; none without it. */
  readonly rest?: string;
  /** Whether it shows its progress. */
  readonly hasSteps: boolean;
  readonly args: readonly ShellArgument[];
}
