/** Runs a compiler and reads what it cost. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a compilation costs: as the compiler counts it, then as the system sees the whole process. */
export const measures = ['types', 'instantiations', 'memory MB', 'peak MB', 'CPU s', 'wall s'] as const;

export type Measure = (typeof measures)[number];

/** `peak MB` and `CPU s` are missing where the system has no GNU `time`. */
export type Cost = Readonly<Partial<Record<Measure, number>>>;

export interface Compilation {
  /** What it cost, or `undefined` where it failed: a program that does not compile has no price. */
  readonly cost: Cost | undefined;
  readonly output: string;
}

function spawn(command: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 });
}

/** Whether `time` is the one of GNU. Others cannot give CPU time and peak memory in one format of ours. */
export const hasGnuTime = spawn('time', ['-f', '%M', process.execPath, '--version'], '.').status === 0;

/** The number after a label of `--extendedDiagnostics`, which TypeScript 7 prints in the same words as older ones. */
function diagnostic(output: string, label: string): number {
  const value = new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(output)?.[1];
  if (value === undefined) throw new Error(`The compiler printed no “${label}”:\n${output}`);
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

/** Compiles a project of the folder, with more options of `tsc`. */
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
