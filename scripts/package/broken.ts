/** Takes a dependency away from the installed package, or breaks it, to see what needs it. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Runs some work while folders are absent. */
export function without(paths: readonly string[], work: () => void): void {
  const aside = (path: string) => `${path}.aside`;
  for (const path of paths) renameSync(path, aside(path));
  try {
    work();
  } finally {
    for (const path of paths) {
      rmSync(path, { recursive: true, force: true });
      renameSync(aside(path), path);
    }
  }
}

/** Runs some work while every entry of a package throws. */
export function withBroken(path: string, work: () => void): void {
  without([path], () => {
    mkdirSync(path);
    const exports = { '.': './index.cjs', './*': './index.cjs' };
    writeFileSync(join(path, 'package.json'), JSON.stringify({ exports }));
    writeFileSync(join(path, 'index.cjs'), `throw new Error('${basename(path)} is broken');\n`);
    work();
  });
}
