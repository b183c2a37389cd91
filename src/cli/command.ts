import type { Arguments } from './arguments.ts';
import type { Console } from './console.ts';

/** An option of a command. */
export interface Option {
  /** What stands behind it in the help, for example `<port>`; `undefined` where it takes nothing. */
  readonly value?: string;
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  /** What it does, with its default. */
  readonly help: string;
}

/** One of the things that the program can do. */
export interface Command {
  /** Its name on the command line. */
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What it takes besides options, for example `<type>`; empty where it takes nothing. */
  readonly operands: readonly string[];
  /** How many operands it needs; the others may be left out. */
  readonly required: number;
  /** Its options, by their names without dashes. */
  readonly options: Readonly<Record<string, Option>>;
  /** Whole command lines to copy. */
  readonly examples: readonly string[];
  /** What else there is to know, in whole sentences. */
  readonly notes?: string;
  /** Does it. Resolves when it is done. */
  run(given: Arguments, console: Console): Promise<void>;
}
