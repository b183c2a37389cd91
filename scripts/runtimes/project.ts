/** A temporary project: the packed package, the runtimes and bundlers, and their programs. */

import { execFile, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { install } from '../tarball.ts';
import { withBrokenResponses } from './broken-responses.ts';
import { filesIn, packMarked } from './marked-package.ts';
import type { Run } from './platform.ts';
import { type Observations, runAgainst, type Service } from './programs/service.ts';
import { withSandbox } from './sandbox.ts';

const execute = promisify(execFile);

/** The programs that also run as CommonJS. */
const asCommonJs = ['count-fetches', 'service', 'scenario', 'process'];

/**
 * A local URL where nothing listens. The system never assigns this port, unlike one that a server has just left, and
 * `fetch` does not block it.
 */
const closedUrl = 'http://127.0.0.1:2';

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

interface ScenarioResult {
  readonly observed: Observations;
  readonly output: string;
}

function writeProgram(path: string, source: string, format: 'esm' | 'cjs'): void {
  const { code } = transformSync(source, { loader: 'ts', target: 'es2022', format });
  const extension = format === 'esm' ? 'mjs' : 'cjs';
  const imports = /"(\.\/[\w-]+)\.ts"/g;
  writeFileSync(`${path}.${extension}`, code.replaceAll(imports, `"$1.${extension}"`));
}

export class Project {
  /** The folder of the project and the apps. */
  readonly root = mkdtempSync(join(tmpdir(), 'payments-client-runtimes-'));
  readonly folder = join(this.root, 'shared');
  #tarball: string | undefined;

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  bin(name: string): string {
    return this.path('node_modules', '.bin', name);
  }

  /** The package as a dependency. */
  get dependency(): Readonly<Record<string, string>> {
    this.#tarball ??= packMarked(this.root);
    return { 'payments-client': `file:${this.#tarball}` };
  }

  /** Installs the package, the runtimes and the bundlers in one run. */
  async install(packages: Readonly<Record<string, string>>): Promise<void> {
    const manifest = {
      private: true,
      dependencies: this.dependency,
      // Packages that the platform lacks are left out, and then skipped or counted as failures.
      optionalDependencies: packages,
      // They download a binary, or move it into place.
      allowScripts: { node: true, bun: true, deno: true, esbuild: true },
    };
    writeFileSync(this.path('package.json'), JSON.stringify(manifest));
    await install(this.folder);
  }

  /** Writes the programs, the pages and the bundlers' configurations. */
  writeAll(): void {
    mkdirSync(this.folder);
    this.writePrograms(this.folder);
    const configurations = join(import.meta.dirname, 'configurations');
    for (const file of readdirSync(configurations)) copyFileSync(join(configurations, file), this.path(file));
  }

  /** Writes the programs and pages into a folder, as JavaScript. */
  writePrograms(target: string): void {
    for (const folder of ['programs', 'pages']) {
      for (const file of readdirSync(join(import.meta.dirname, folder))) {
        const name = basename(file, '.ts');
        const source = readFileSync(join(import.meta.dirname, folder, file), 'utf8');
        writeProgram(join(target, name), source, 'esm');
        if (asCommonJs.includes(name)) writeProgram(join(target, name), source, 'cjs');
      }
    }
  }

  /** Returns whether a program of the project runs here. */
  runs(command: string): boolean {
    return spawnSync(command, ['--version'], { cwd: this.folder }).status === 0;
  }

  versionOf(name: string): string {
    return JSON.parse(readFileSync(this.path('node_modules', name, 'package.json'), 'utf8')).version;
  }

  /** Runs a program in the project, and returns its output. */
  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    const options = { cwd: this.folder, timeout: 300_000, env: { ...process.env, NO_COLOR: '1', ...env } };
    return execute(command, args, options);
  }

  /** Runs a program that makes no calls, and returns the JSON that it prints. */
  async runOffline(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run> {
    const { stdout, stderr } = await this.run(command, args, env);
    return { observed: JSON.parse(stdout), files: filesIn(stderr), transport: 'none' };
  }

  /** Runs a scenario with its own sandbox. */
  runScenario(scenario: (service: Service) => Promise<ScenarioResult>): Promise<Run> {
    return withBrokenResponses((brokenUrl) =>
      withSandbox(async (sandbox, transport) => {
        let output = '';
        const observed = await runAgainst(sandbox, { closedUrl, brokenUrl }, async (service) => {
          const result = await scenario(service);
          output = result.output;
          return result.observed;
        });
        return { observed, files: filesIn(output), transport: transport() };
      }),
    );
  }

  /** Runs the scenario in a process, which gets the service as its last argument. */
  runProcess(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run> {
    return this.runScenario(async (service) => {
      const { stdout, stderr } = await this.run(command, [...args, JSON.stringify(service)], env);
      return { observed: JSON.parse(stdout), output: stderr };
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
