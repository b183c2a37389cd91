import { styleText } from 'node:util';
import { json } from './visible.ts';

/** Text styles. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan' | 'magenta';

/** An output stream: `process.stdout`, `process.stderr`. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** The outputs for results and for messages. */
export interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** What the program needs of its process. */
export interface Surroundings extends Outputs {
  /** Waits until a sandbox should stop. */
  readonly untilInterrupted: () => Promise<void>;
  /** The working directory. */
  readonly folder: string;
}

/** The options of every command. */
export interface Settings {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly env?: string;
}

/** Writes results, messages and errors in the form that the settings select. */
export interface Console {
  /** Writes a result: `value` as a line of JSON with `--json`, each item of a list as one; `text` otherwise. */
  print(value: unknown, text: string): void;
  /** Writes a message for people that is not a result. */
  tell(line: string): void;
  /** Writes an error: `error` as a line of JSON with `--json`, `text` otherwise. */
  fail(error: { readonly code: string; readonly message: string }, text: string): void;
  /** Replaces the last unfinished message. Does nothing unless messages go to a terminal. */
  rewrite(line: string): void;
  /** Returns a text with a style, if colours are on. */
  paint(style: Style, text: string): string;
}

/** Returns the columns of an output. A terminal of unknown width reports 0. */
export function widthOf({ columns }: Output, otherwise: number): number {
  return columns || otherwise;
}

/** Reads the settings at each call, since commander knows them only after it has parsed the arguments. */
export function consoleFor({ stdout, stderr }: Outputs, settings: () => Settings): Console {
  const canRewrite = stderr.isTTY === true && process.env['TERM'] !== 'dumb';
  const write = (output: Output, line: string): void => void output.write(`${line}\n`);
  return {
    print: (value, text) => {
      const lines = settings().json ? [value].flat().map(json) : [text];
      for (const line of lines) write(stdout, line);
    },
    tell: (line) => write(stderr, line),
    fail: (error, text) => write(stderr, settings().json ? json({ error }) : text),
    rewrite: (line) => {
      // A longer line would wrap, and only its last row would be cleared.
      if (canRewrite) stderr.write(`\r\u001b[2K${line.slice(0, widthOf(stderr, 80) - 1)}`);
    },
    paint: (style, text) => {
      const { color } = settings();
      // Node checks FORCE_COLOR, NO_COLOR, TERM and whether the output is a terminal.
      return color === false ? text : styleText(style, text, { stream: stdout, validateStream: !color });
    },
  };
}
