/** Folders with the packed packages, as merchants install them. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../package.json' with { type: 'json' };

const { version } = manifest;
const root = resolve(import.meta.dirname, '..');
const execute = promisify(execFile);

export type Packages = Readonly<Record<string, string>>;

/** Runs a program in a folder, and returns what it prints. If it fails, the error has all of its output. */
export async function run(
  folder: string,
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { cwd: folder, timeout: 300_000, maxBuffer: 2 ** 26 };
  try {
    const { stdout } = await execute(command, args, { ...options, env: { ...process.env, ...env } });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error);
    throw new Error(`${command} ${args.join(' ')} failed in ${folder}:\n${stdout}${stderr}`);
  }
}

/** Packs both builds, and returns them as dependencies. If `PACKAGE_TARBALLS` names a folder, returns the tarballs there. */
export function packedPackages(): Packages {
  const { PACKAGE_TARBALLS: given } = process.env;
  const folder = resolve(root, given ?? '.tmp/package');
  const names = ['payments-client', 'payments-client-sandbox'];
  if (given === undefined) {
    mkdirSync(folder, { recursive: true });
    const workspaces = names.flatMap((name) => ['--workspace', name]);
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...workspaces];
    execFileSync('npm', args, { cwd: root });
  }
  return Object.fromEntries(names.map((name) => [name, `file:${join(folder, `${name}-${version}.tgz`)}`]));
}

/** Installs packages into a folder. Those that the platform lacks are left out, and their cases fail. */
export async function install(
  folder: string,
  dependencies: Packages,
  optional: Packages = {},
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // These download a binary, or move it into place.
  const allowScripts = { node: true, bun: true, deno: true, esbuild: true };
  const manifest = {
    private: true,
    type: 'module',
    dependencies,
    optionalDependencies: optional,
    allowScripts,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await run(folder, ['npm', 'install', '--no-audit', '--no-fund']);
}
