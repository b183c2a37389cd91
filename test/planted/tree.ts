import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const copies = join(root, '.tmp/planted');

function git(cwd: string, ...args: readonly string[]): string {
  // A copy is no part of the repository that it lies in.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: copies };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A copy of the working tree, in which patches are applied one after the other. */
export class Tree {
  readonly path: string;

  /** @param name The name of its folder in `.tmp`. An older copy is replaced. */
  constructor(name: string) {
    this.path = join(copies, name);
    rmSync(this.path, { recursive: true, force: true });
    for (const file of git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split(
      '\0',
    )) {
      // A deleted file is listed until the deletion is committed.
      if (file === '' || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(this.path, file)), { recursive: true });
      cpSync(join(root, file), join(this.path, file));
    }
    for (const folder of ['.', 'sandbox', 'test'].map((at) => join(at, 'node_modules'))) {
      if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(this.path, folder), 'dir');
    }
  }

  /** Applies a patch of `test/planted`. Throws if it does not apply. */
  apply(patch: string): void {
    this.#patch(patch);
  }

  revert(patch: string): void {
    this.#patch(patch, '--reverse');
  }

  /** Returns what git says against a patch; `undefined` if it applies. */
  problemOf(patch: string): string | undefined {
    try {
      this.#patch(patch, '--check');
      return undefined;
    } catch (error) {
      return String(Object(error).stderr).trim();
    }
  }

  #patch(patch: string, ...options: readonly string[]): void {
    git(this.path, 'apply', ...options, join(root, patch));
  }
}
