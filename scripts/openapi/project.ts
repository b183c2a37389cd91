/** A throw-away project in which tools of others read `openapi.json`. */

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
  ...{ noEmit: true, strict: true, target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] },
  ...{ module: 'ESNext', moduleResolution: 'Bundler' },
};

/** A project that is there until it is removed. */
export class Project {
  readonly #folder = mkdtempSync(join(tmpdir(), 'payments-client-openapi-'));
  /** The description that merchants install. */
  readonly description = resolve(import.meta.dirname, '../../dist/openapi.json');

  /** A path in the project. */
  path(...names: readonly string[]): string {
    return join(this.#folder, ...names);
  }

  /** Installs the tools. */
  async install(...packages: readonly string[]): Promise<void> {
    writeFileSync(this.path('package.json'), '{ "private": true, "type": "module" }');
    await install(this.#folder, '--ignore-scripts', ...packages);
  }

  /** Runs a tool, and gives what it prints. */
  async run(tool: string, ...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await execute(this.path('node_modules/.bin', tool), args, {
      cwd: this.#folder,
    });
    return stdout + stderr;
  }

  /** Compiles a program in a folder of its own, beside what a generator has written there. */
  async compile(folder: string, program: string): Promise<void> {
    mkdirSync(this.path(folder), { recursive: true });
    writeFileSync(this.path(folder, 'program.ts'), program);
    const project = this.path(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    await this.run('tsc', '--project', project);
  }

  /** Runs a program that was compiled beside a sandbox, and gives the JSON that it prints. */
  async runBesideSandbox(folder: string): Promise<unknown> {
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
