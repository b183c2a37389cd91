/** What the matrix is made of. */

import type { Project } from './project.ts';

/** How requests go out; `none` where no call leaves the program. */
export type Transport = 'node:http' | 'fetch' | 'none';

/** What a case showed. */
export interface Run {
  /** What its program saw. */
  readonly seen: unknown;
  /** The main entries of the package that were loaded, such as `index.node.js`. */
  readonly files: readonly string[];
  readonly transport: Transport;
}

/** One line of the matrix, and of the tables of docs/runtimes.md. */
export interface Case {
  readonly name: string;
  /** What the case must give. */
  readonly wanted: Run;
  run(): Promise<Run>;
}

/** Cases that belong together: a runtime, a bundler, or a framework. */
export interface Kind {
  readonly name: string;
  /** What it needs in the shared project: package specifiers by the names that they are installed under. */
  readonly packages: Readonly<Record<string, string>>;
  /** Whether only `--all` runs it. Default: CI runs it for each change too. */
  readonly isLong?: boolean;
  /** Whether it runs on this machine. */
  isThere(project: Project): boolean;
  /** The version that ran. Asked when its cases are done. */
  version(project: Project): string | Promise<string>;
  cases(project: Project): readonly Case[];
}
