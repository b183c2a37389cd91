import { styleText } from 'node:util';

/** Ways to write a text. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan' | 'magenta';

/** Where the program writes, and how. */
export interface Console {
  /** Whether people read along: a terminal, or colours are asked for. Otherwise a program does. */
  readonly readable: boolean;
  /** Whether the output for messages is a terminal, on which a line can be written over. */
  readonly canRewrite: boolean;
  /** Writes a line of results. */
  print(line: string): void;
  /** Writes a line of messages, which are no results. */
  tell(line: string): void;
  /** Writes over the last unfinished line of messages. */
  rewrite(line: string): void;
  /** A text with a style, where there are colours. */
  paint(style: Style, text: string): string;
}

/** Whether results are lines of JSON: `--json` asks for them, or no person reads along. */
export function wantsJson({ json }: { readonly json?: boolean }, { readable }: Console): boolean {
  return json === true || !readable;
}

/** `FORCE_COLOR` comes first, then `NO_COLOR`, then what the output is; an empty variable counts as absent. */
function hasColours(isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env;
  if (forced) return forced !== '0' && forced !== 'false';
  return isTerminal && !refused && process.env['TERM'] !== 'dumb';
}

/** The console of this process. */
export function processConsole(): Console {
  const { stdout, stderr } = process;
  const colours = hasColours(stdout.isTTY === true);
  return {
    readable: stdout.isTTY === true || colours,
    canRewrite: stderr.isTTY === true && process.env['TERM'] !== 'dumb',
    print: (line) => void stdout.write(`${line}\n`),
    tell: (line) => void stderr.write(`${line}\n`),
    rewrite: (line) => void stderr.write(`\r\u001b[2K${line}`),
    paint: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
  };
}
