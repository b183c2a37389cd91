import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cost of a compilation. */
export interface Cost {
  /** The processor time of the whole process, by GNU's `time`. */
  readonly 'CPU s': number;
  /** The memory that the compiler reports. */
  readonly 'memory MB': number;
}

function processorTime(report: string): number {
  const [user = Number.NaN, system = Number.NaN] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
  return user + system;
}

/** Compiles a project of the folder. Fails if it does not compile. */
export function compile(folder: string, project: string): Cost {
  const tsc = join(folder, 'node_modules/typescript/bin/tsc');
  const report = join(folder, '.tmp/time.txt');
  const compiler = [
    process.execPath,
    tsc,
    '--project',
    project,
    '--extendedDiagnostics',
    '--pretty',
    'false',
  ];
  const { status, stdout, stderr, error } = spawnSync('time', ['-f', '%U %S', '-o', report, ...compiler], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`${project} does not compile:\n${stdout}${stderr}${error ?? ''}`);
  const kilobytes = /^Memory used:\s+([\d.]+)/m.exec(stdout)?.[1];
  return { 'CPU s': processorTime(report), 'memory MB': Number(kilobytes) / 1024 };
}
