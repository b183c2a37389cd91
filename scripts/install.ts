/**
 * Installs packages that `npm install` leaves out, unless they are installed: `node scripts/install.ts test scripts/tools`. The
 * npm scripts that need them run it first. Workspaces of npm would be installed with the project itself.
 */

import { execSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');

for (const name of process.argv.slice(2)) {
  const folder = join(root, name);
  const changedAt = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // npm writes this file when it has installed everything.
  const installedAt = changedAt('node_modules/.package-lock.json');
  if (installedAt > changedAt('package.json') && installedAt > changedAt('package-lock.json')) continue;
  execSync(`npx --yes ${manifest.packageManager} install --no-audit --no-fund --loglevel=error`, {
    cwd: folder,
    // Standard output is the caller's: it may be a report.
    stdio: ['ignore', process.stderr, 'inherit'],
  });
}
