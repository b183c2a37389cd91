/** A temporary project in which third-party tools read `openapi.json`. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { createSandbox } from '../../src/sandbox/index.ts';
import { install } from '../tarball.ts';

const execute = promisify(execFile);

const compilerOptions = {
  noEmit: true,
  strict: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  module: 'ESNext',
  moduleResolution: 'Bundler',
};

export class Project {
  readonly #folder = mkdtempSync(join(tmpdir(), 'payments-client-openapi-'));
  /** The description that merchants install. */
  readonly description = resolve(import.meta.dirname, '../../dist/openapi.json');

  path(...names: readonly string[]): string {
    return join(this.#folder, ...names);
  }

  async install(...packages: readonly string[]): Promise<void> {
    writeFileSync(this.path('package.json'), '{ "private": true, "type": "module" }');
    await install(this.#folder, '--ignore-scripts', ...packages);
  }

  async run(tool: string, ...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await execute(this.path('node_modules/.bin', tool), args, {
      cwd: this.#folder,
    });
    return stdout + stderr;
  }

  /** Compiles a program in its own folder, next to a generator's output. */
  async compile(folder: string, program: string): Promise<void> {
    mkdirSync(this.path(folder), { recursive: true });
    writeFileSync(this.path(folder, 'program.ts'), program);
    const project = this.path(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    await this.run('tsc', '--project', project);
  }

  /** Runs a compiled program with a sandbox, and returns the JSON that it prints. */
  async runWithSandbox(folder: string): Promise<unknown> {
    const outfile = this.path(folder, 'program.mjs');
    buildSync({
      entryPoints: [this.path(folder, 'program.ts')],
      bundle: true,
      format: 'esm',
      outfile,
      logLevel: 'warning',
    });
    const sandbox = await createSandbox().listen();
    try {
      const { url, secretKey, securityKey } = sandbox;
      const service = JSON.stringify({ url, secretKey, securityKey });
      const { stdout } = await execute(process.execPath, [outfile, service]);
      return JSON.parse(stdout);
    } finally {
      await sandbox.close();
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
