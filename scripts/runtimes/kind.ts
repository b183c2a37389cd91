/** What the matrix is made of. */

import type { Project } from './project.ts';

/** One line of the matrix. */
export interface Case {
  readonly name: string;
  /** What the case must give. */
  readonly wanted: unknown;
  /** Runs it, and gives what it saw. */
  run(): Promise<unknown>;
}

/** Cases that belong together: a runtime, or a bundler. */
export interface Kind {
  readonly name: string;
  /** What it needs: package specifiers by the names that they are installed under. */
  readonly packages: Readonly<Record<string, string>>;
  /** Whether it runs on this machine. */
  isThere(project: Project): boolean;
  cases(project: Project): readonly Case[];
}
