import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { measuredEnvironment } from '../support/coverage.ts';

const program = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** What a program that has ended leaves behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();

/** The environment of the tests could ask for colours, or name another sandbox. */
function environment(more: Environment): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return { PATH, ...measuredEnvironment(), ...more };
}

function start(args: readonly string[], env: Environment): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], { env: environment(env) });
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
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

/** Runs the program to its end. */
export async function run(args: readonly string[], env: Environment = {}): Promise<Ended> {
  const child = start(args, env);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const code = await ended(child);
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Whether there is a program that gives another one a terminal. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

/** What the program writes on a terminal, results and messages, when it ends well. */
export async function runOnTerminal(args: readonly string[], env: Environment = {}): Promise<string> {
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...environment(env), TERM: env['TERM'] ?? 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.on('close', () => running.delete(child));
  const shown = collect(child.stdout);
  const code = await ended(child);
  if (code !== 0) throw new Error(`expected the program to end well, got ${code}: ${shown()}`);
  return shown();
}

/** A program that goes on until it is stopped. */
export interface Running {
  /** The next line of its results that fits; lines before it are passed over. */
  line(fits?: (line: string) => boolean): Promise<string>;
  /** Waits for a text among its messages. */
  message(text: string): Promise<void>;
  /** Tells it to end, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** Waits until it has ended by itself. */
  readonly ended: Promise<Ended>;
}

/** Starts the program. */
export function launch(args: readonly string[], env: Environment = {}): Running {
  const child = start(args, env);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const { stdout: output, stderr: messages } = child;
  if (output === null || messages === null) throw new Error('expected pipes');
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
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return end;
    },
  };
}

/** Ends whatever a test left running. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const end = ended(child);
      child.kill('SIGKILL');
      return end;
    }),
  );
}

/** A line of JSON, for looking into it. */
export function parse(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error(`expected a JSON object, got ${line}`);
  return { ...value };
}

/** A sandbox that runs as a program of its own. */
export async function runSandbox(args: readonly string[] = [], env: Environment = {}) {
  const sandbox = launch(['sandbox', '--port', '0', ...args], env);
  const ready = parse(await sandbox.line());
  const { url } = ready;
  if (typeof url !== 'string') throw new Error('expected an address');
  return { ...sandbox, ready, url, call: (...more: string[]) => run([...more, '--url', url]) };
}
