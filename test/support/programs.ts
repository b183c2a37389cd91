import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A Node program to start. */
export interface Program {
  /** The path of its file. */
  readonly path: string;
  /** Options of Node. Default: none. */
  readonly nodeOptions?: readonly string[];
  /** The working directory. Default: that of the tests. */
  readonly folder?: string;
}

/** The result of an ended program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment variables of a program. */
export type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();

/** Node options that let a program import both packages. */
export const withPackage = ['--import', fileURLToPath(new URL('package-hook.ts', import.meta.url))];

/** The environment of the tests could enable colours or name another sandbox. */
function environment(more: Environment): NodeJS.ProcessEnv {
  const { PATH, PACKAGE_BUNDLE } = process.env;
  return { PATH, PACKAGE_BUNDLE, ...more };
}

/** The program `payments-client`. */
export const paymentsClient: Program = { path: `${process.env['PACKAGE_BUNDLE']}/cli.js` };

function untilClosed<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
}

function start({ path, nodeOptions = [], folder }: Program, args: readonly string[], env: Environment) {
  const options = { env: environment(env), cwd: folder };
  return untilClosed(spawn(process.execPath, [...nodeOptions, path, ...args], options));
}

/** Starts a script with a task, which reports progress to its parent. Its messages are shown. */
export function forkScript(script: URL, task: unknown, nodeOptions: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(script), [JSON.stringify(task)], {
    execArgv: [...withPackage, ...nodeOptions],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code));
  });
}

/** Runs a program to its end. */
export async function runProgram(
  program: Program,
  args: readonly string[],
  env: Environment = {},
): Promise<Ended> {
  const child = start(program, args, env);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const code = await ended(child);
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Whether a program is available that provides a terminal. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

/** A running program. */
export interface Running {
  /** Returns the next matching line of its results, and skips the lines before. */
  line(fits?: (line: string) => boolean): Promise<string>;
  /** Waits for a text in its messages, and returns all messages so far. */
  message(text: string): Promise<string>;
  /** Sends a signal, and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** Waits until it has ended by itself. */
  readonly ended: Promise<Ended>;
}

/** Starts a program. */
export function launchProgram(program: Program, args: readonly string[], env: Environment = {}): Running {
  const child = start(program, args, env);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const { stdout: output, stderr: messages } = child;
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const end = ended(child).then((code) => ({ code, stdout: stdout(), stderr: stderr() }));
  return {
    ended: end,
    line: async (fits = () => true) => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the program has ended: ${stderr()}`);
        if (fits(value)) return value;
      }
    },
    message: async (text) => {
      while (!stderr().includes(text)) {
        await new Promise<void>((resolve, reject) => {
          messages.once('data', () => resolve());
          void end.then(() => reject(new Error(`the program has ended: ${stderr()}`)));
        });
      }
      return stderr();
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return end;
    },
  };
}

/** Ends the programs that a test left running. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const end = ended(child);
      child.kill('SIGKILL');
      return end;
    }),
  );
}

/**
 * Types keys into an interactive shell on a terminal, and returns the terminal's output. The shell reads the keys in
 * turn, even if they arrive early.
 */
export async function typeInto(
  shell: string,
  keys: string,
  folder: string,
  env: Environment,
): Promise<string> {
  const child = untilClosed(
    spawn('script', ['--quiet', '--return', '--command', shell, '/dev/null'], {
      env: { ...environment(env), TERM: 'xterm', SHELL: '/bin/sh' },
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const shown = collect(child.stdout);
  child.stdin.end(keys);
  await ended(child);
  return shown();
}
