/** Temporarily removes dependencies from the installed package, to find the code that needs them. */

import { renameSync } from 'node:fs';

export function without(paths: readonly string[], run: () => void): void {
  const hidden = (path: string) => `${path}.hidden`;
  for (const path of paths) renameSync(path, hidden(path));
  try {
    run();
  } finally {
    for (const path of paths) renameSync(hidden(path), path);
  }
}
