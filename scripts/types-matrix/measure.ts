/** Runs a compiler and measures its cost. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cost of a compilation: first by the compiler, then by the system for the whole process. */
export const measures = ['types', 'instantiations', 'memory MB', 'peak MB', 'CPU s', 'wall s'] as const;

export type Measure = (typeof measures)[number];

/** `peak MB` and `CPU s` are absent if the system has no GNU `time`. */
export type Cost = Readonly<Partial<Record<Measure, number>>>;

export interface Compilation {
  /** The cost; `undefined` if the program does not compile. */
  readonly cost: Cost | undefined;
  readonly output: string;
}

function spawn(command: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 });
}

/** Whether `time` is GNU's. Other versions cannot report CPU time and peak memory in one format. */
export const hasGnuTime = spawn('time', ['-f', '%M', process.execPath, '--version'], '.').status === 0;

/** Returns the number after a label of `--extendedDiagnostics`, which TypeScript 7 prints like older versions. */
function diagnostic(output: string, label: string): number {
  const value = new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(output)?.[1];
  if (value === undefined)
    throw new Error(`Expected “${label}” in the output of the compiler, got:\n${output}`);
  return Number(value);
}

function compilerCosts(output: string): Cost {
  return {
    types: diagnostic(output, 'Types'),
    instantiations: diagnostic(output, 'Instantiations'),
    'memory MB': diagnostic(output, 'Memory used') / 1024,
  };
}

/** Peak memory is that of the largest process, so TypeScript 7 is not charged for the Node that starts it. */
function processCosts(report: string): Cost {
  const [user = Number.NaN, system = Number.NaN, kilobytes = Number.NaN] = readFileSync(report, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  return { 'CPU s': user + system, 'peak MB': kilobytes / 1024 };
}

/** Compiles a project of the folder, with further options of `tsc`. */
export function compile(
  folder: string,
  compiler: string,
  project: string,
  options: readonly string[] = [],
): Compilation {
  const tsc = join(folder, 'node_modules', compiler, 'bin', 'tsc');
  const args = [tsc, '--project', project, ...options, '--extendedDiagnostics', '--pretty', 'false'];
  const report = join(folder, 'time.txt');
  const timed = ['-f', '%U %S %M', '-o', report, process.execPath, ...args];
  const start = performance.now();
  const { status, stdout, stderr, error } = hasGnuTime
    ? spawn('time', timed, folder)
    : spawn(process.execPath, args, folder);
  const wall = (performance.now() - start) / 1000;
  const output = `${stdout}${stderr}${error ?? ''}`;
  if (status !== 0) return { cost: undefined, output };
  const ofProcess = hasGnuTime ? processCosts(report) : {};
  return { cost: { ...compilerCosts(output), ...ofProcess, 'wall s': wall }, output };
}
