/** Temporarily removes packages from the installed one, to find what needs them. */

import { renameSync } from 'node:fs';

/** Runs some work while folders are absent. */
export function without(paths: readonly string[], work: () => void): void {
  const aside = (path: string) => `${path}.aside`;
  for (const path of paths) renameSync(path, aside(path));
  try {
    work();
  } finally {
    for (const path of paths) renameSync(aside(path), path);
  }
}
