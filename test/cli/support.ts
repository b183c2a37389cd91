import {
  type Ended,
  type Environment,
  launchProgram,
  paymentsClient,
  type Running,
  runProgram,
  runOnTerminal as runProgramOnTerminal,
} from '../support/programs.ts';

export { type Ended, endAll, hasTerminal, type Running } from '../support/programs.ts';

/** Runs the program to its end. */
export function run(args: readonly string[], env: Environment = {}): Promise<Ended> {
  return runProgram(paymentsClient, args, env);
}

/** What the program writes on a terminal, results and messages, when it ends well. */
export function runOnTerminal(args: readonly string[], env: Environment = {}): Promise<string> {
  return runProgramOnTerminal(paymentsClient, args, env);
}

/** Starts the program. */
export function launch(args: readonly string[], env: Environment = {}): Running {
  return launchProgram(paymentsClient, args, env);
}

/** A line of JSON, for looking into it. */
export function parse(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error(`expected a JSON object, got ${line}`);
  return { ...value };
}

/** A sandbox that runs as a program of its own. */
export async function runSandbox(args: readonly string[] = [], env: Environment = {}) {
  const sandbox = launch(['sandbox', '--json', '--port', '0', ...args], env);
  const ready = parse(await sandbox.line());
  const { url } = ready;
  if (typeof url !== 'string') throw new Error('expected an address');
  return { ...sandbox, ready, url, call: (...more: string[]) => run([...more, '--json', '--url', url]) };
}
