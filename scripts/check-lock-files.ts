/**
 * Fails if npm makes another lock file of a `package.json` than the committed one. `git diff` cannot say that: registries and mirrors
 * list different optional packages of other platforms, and npm writes those that it finds. `npm ci` compares only what the manifest
 * itself names.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import manifest from '../package.json' with { type: 'json' };

type Names = Readonly<Record<string, string>>;

/** A package of a lock file. */
interface Entry {
  readonly os?: unknown;
  readonly cpu?: unknown;
  readonly libc?: unknown;
  readonly optional?: boolean;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
}

type Entries = Readonly<Record<string, Entry>>;

const root = resolve(import.meta.dirname, '..');

const isOfPlatform = ({ optional, os, cpu, libc }: Entry) =>
  optional === true && (os ?? cpu ?? libc) !== undefined;

/** Returns where a package at a path finds another: in its own `node_modules`, or in those of the folders above. */
function find(entries: Entries, path: string, name: string): string | undefined {
  const inside = `${path}/node_modules/${name}`.replace(/^\//, '');
  if (entries[inside] !== undefined || path === '') return inside;
  return find(entries, path.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), name);
}

/** Returns the packages that every platform needs. */
function read(lockFile: string): Entries {
  const { packages: entries }: { packages: Entries } = JSON.parse(lockFile);
  const reached = new Map<string, Entry>();
  const visit = (path: string): void => {
    const entry = entries[path];
    if (entry === undefined || reached.has(path) || isOfPlatform(entry)) return;
    reached.set(path, entry);
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = entry;
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
    for (const name of Object.keys(all)) visit(find(entries, path, name) ?? '');
  };
  visit('');
  return Object.fromEntries(reached);
}

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

for (const file of git('ls-files', '*package-lock.json').split('\n').filter(Boolean)) {
  const committed = read(git('show', `:${file}`));
  const install = ['--yes', manifest.packageManager, 'install'];
  execFileSync('npx', [...install, '--package-lock-only', '--no-audit', '--no-fund', '--silent'], {
    cwd: join(root, dirname(file)),
  });
  const made = read(readFileSync(join(root, file), 'utf8'));
  const differing = Object.keys({ ...committed, ...made }).filter(
    (path) => !isDeepStrictEqual(committed[path], made[path]),
  );
  console.log(`${differing.length === 0 ? 'ok  ' : 'FAIL'} ${file}`);
  if (differing.length === 0) continue;
  const names = differing.map((path) => path || 'package.json').join(', ');
  console.log(
    `  It differs from package.json in ${names}: run npx ${install.slice(1).join(' ')} there, and commit it.`,
  );
  process.exitCode = 1;
}
