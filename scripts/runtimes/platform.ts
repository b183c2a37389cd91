/** The parts of the matrix. */

import type { Project } from './project.ts';

/** How requests are sent; `none` if no request leaves the program. */
export type Transport = 'node:http' | 'fetch' | 'none';

export interface Run {
  /** The program's observations. */
  readonly observed: unknown;
  /** The main entries of the package that were loaded, such as `index.node.js`. */
  readonly files: readonly string[];
  readonly transport: Transport;
}

/** A row of the matrix. */
export interface Case {
  readonly name: string;
  readonly expected: Run;
  run(): Promise<Run>;
}

/** A runtime, a bundler, or a framework, with its cases. */
export interface Platform {
  readonly name: string;
  /** The packages of the shared project: specifiers by installed name. */
  readonly packages: Readonly<Record<string, string>>;
  /** Whether only `--all` runs it. Default: CI runs it for each change too. */
  readonly isLong?: boolean;
  isAvailable(project: Project): boolean;
  /** Returns the version that ran. Called after its cases. */
  version(project: Project): string | Promise<string>;
  cases(project: Project): readonly Case[];
}
