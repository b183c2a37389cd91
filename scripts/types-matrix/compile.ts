/** Compiles the programs of the matrix, and returns the errors in them and in our declarations. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Compilation } from './matrix.ts';

/** The result of a compilation. */
export interface Verdict {
  readonly name: string;
  /** The errors in the programs and in our declarations; empty where they compile. */
  readonly complaints: string;
}

/** What one compiler compiles. */
export interface Job {
  /** The folder of the compiler. */
  readonly compiler: string;
  readonly compilations: readonly Compilation[];
}

/** Whether a file belongs to another package, whose declarations need not compile everywhere. */
export function isForeign(path: string): boolean {
  return /(?:^|\/)node_modules\/(?!payments-client\/)/.test(path);
}

/** Runs in its own thread, so that two compilers use two cores. */
async function compileByApi(job: Job): Promise<readonly Verdict[]> {
  const thread = new Worker(new URL('compile-by-api.ts', import.meta.url), { workerData: job });
  const [verdicts] = await once(thread, 'message');
  return verdicts;
}

function runCommand(compiler: string, { folder, project }: Compilation): Promise<string> {
  const args = [join(compiler, 'bin', 'tsc'), '--project', project, '--pretty', 'false'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, timeout: 300_000 }, (error, stdout, stderr) => {
      // A crash exits with an error too, and must not count as a program that compiles.
      if (error !== null && !stdout.includes('error TS')) reject(new Error(`${stderr}${error.message}`));
      else resolve(stdout);
    });
  });
}

/** A line of an error: its file, where it has one, then its number. */
const errorLine = /^(?:(.+)\(\d+,\d+\): )?error TS\d+/;

function isAboutUs(line: string): boolean {
  const found = errorLine.exec(line);
  return found !== null && !isForeign(found[1] ?? '');
}

async function compileByCommand({ compiler, compilations }: Job): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const compilation of compilations) {
    const output = await runCommand(compiler, compilation);
    const complaints = output.split('\n').filter(isAboutUs).join('\n');
    verdicts.push({ name: compilation.name, complaints });
  }
  return verdicts;
}

/**
 * Compiles with one compiler.
 *
 * @param name The name that it is installed under.
 * @param modules The folder of packages that it is in.
 */
export function compileAll(
  name: string,
  modules: string,
  compilations: readonly Compilation[],
): Promise<readonly Verdict[]> {
  const job: Job = { compiler: join(modules, name), compilations };
  // TypeScript 7 is a native program without that API, and fast enough without it.
  return name === 'ts7' ? compileByCommand(job) : compileByApi(job);
}
