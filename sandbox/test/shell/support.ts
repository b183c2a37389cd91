/** Reaches inside: runs the program in the process of the tests, as `src/cli.ts` does in one of its own. */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { vi } from 'vitest';
import { run as runProgram } from '../../src/shell/run.ts';

/** The result of an ended program. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment variables of a program. */
export type Environment = Readonly<Record<string, string>>;

/** A running program. */
export interface Running {
  /** Returns the next matching line of its results, and skips the lines before. */
  line(fits?: (line: string) => boolean): Promise<string>;
  /** Waits for a text in its messages, and returns all messages so far. */
  message(text: string): Promise<string>;
  /** Interrupts a sandbox, and waits until it has ended. */
  stop(): Promise<Ended>;
  /** Waits until it has ended by itself. */
  readonly ended: Promise<Ended>;
}

/** An output that keeps what is written. */
class Recording extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.emit('text');
    done();
  }
}

const running = new Set<Running>();

let shop: string | undefined;

/** The working directory of the programs of a test: the folder of a package, where they keep their keys. */
function shopFolder(): string {
  if (shop === undefined) {
    shop = mkdtempSync(join(tmpdir(), 'shop-'));
    writeFileSync(join(shop, 'package.json'), '{}');
  }
  return shop;
}

/** The variables of the machine that would change what the program does. */
const unset = [
  'PAYMENTS_BASE_URL',
  'PAYMENTS_SECRET_KEY',
  'PAYMENTS_SECURITY_KEY',
  'PAYMENTS_PUBLIC_KEY',
  'PAYMENTS_WEBHOOK_SECRET',
  'PAYMENTS_CHECKOUT_PAGE',
  'PAYMENTS_INTERFACE',
  'XDG_RUNTIME_DIR',
  // Node shows no colours where these say so.
  'CI',
  'FORCE_COLOR',
  'NODE_DISABLE_COLORS',
  'NO_COLOR',
  'TEAMCITY_VERSION',
];

/** The environment is that of all programs of a test, until it starts the next one. */
function setEnvironment(env: Environment): void {
  vi.unstubAllEnvs();
  for (const name of unset) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

function start(args: readonly string[], stdout: Recording, stderr: Recording, folder: string): Running {
  let interrupt = () => {};
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const surroundings = { stdout, stderr, untilInterrupted: () => interrupted, folder };
  const ended = runProgram(args, surroundings).then((code) => {
    running.delete(program);
    return { code, stdout: stdout.text, stderr: stderr.text };
  });
  const more = (output: Recording) =>
    Promise.race([
      once(output, 'text'),
      ended.then(() => {
        throw new Error(`the program has ended: ${stderr.text}`);
      }),
    ]);
  let read = 0;
  const program: Running = {
    ended,
    line: async (fits = () => true) => {
      for (;;) {
        const end = stdout.text.indexOf('\n', read);
        if (end === -1) {
          await more(stdout);
          continue;
        }
        const line = stdout.text.slice(read, end);
        read = end + 1;
        if (fits(line)) return line;
      }
    },
    message: async (text) => {
      while (!stderr.text.includes(text)) await more(stderr);
      return stderr.text;
    },
    stop: () => {
      interrupt();
      return ended;
    },
  };
  running.add(program);
  return program;
}

/** Starts the program, in the folder of a package unless another one is given. */
export function launch(args: readonly string[], env: Environment = {}, folder?: string): Running {
  const where = folder ?? shopFolder();
  setEnvironment(env);
  return start(args, new Recording(), new Recording(), where);
}

/** Runs the program to its end. */
export function run(args: readonly string[], env: Environment = {}, folder?: string): Promise<Ended> {
  return launch(args, env, folder).ended;
}

/** Returns what the program writes on a terminal, results and messages, if it succeeds. */
export async function runOnTerminal(
  args: readonly string[],
  env: Environment = {},
  columns = 80,
): Promise<string> {
  const folder = shopFolder();
  setEnvironment({ TERM: 'xterm-256color', ...env });
  const { getColorDepth } = WriteStream.prototype;
  const terminal = Object.assign(new Recording(), { isTTY: true, columns, getColorDepth });
  const { code, stdout } = await start(args, terminal, terminal, folder).ended;
  if (code !== 0) throw new Error(`expected the program to end well, got ${code}: ${stdout}`);
  return stdout;
}

/** Ends the sandboxes that a test left running, and restores the environment. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((program) => program.stop()));
  vi.unstubAllEnvs();
  if (shop !== undefined) rmSync(shop, { recursive: true, force: true });
  shop = undefined;
}

/** A line of JSON, for looking into it. */
export function parse(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error(`expected a JSON object, got ${line}`);
  return { ...value };
}

/** Starts a sandbox, as the command `sandbox` does. */
export async function runSandbox(args: readonly string[] = [], env: Environment = {}, folder?: string) {
  const sandbox = launch(['sandbox', '--json', '--port', '0', ...args], env, folder);
  const ready = parse(await sandbox.line());
  const { url } = ready;
  if (typeof url !== 'string') throw new Error('expected an address');
  return {
    ...sandbox,
    ready,
    url,
    call: (...more: string[]) => run([...more, '--json', '--url', url], env, folder),
  };
}
