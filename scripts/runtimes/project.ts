/** A throw-away project: the packed package, the runtimes and bundlers beside it, and the programs they run. */

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
import type { Run } from './kind.ts';
import { filesIn, packMarked } from './marked-package.ts';
import { beside, type Seen, type Service } from './programs/service.ts';
import { withSandbox } from './sandbox.ts';

const execute = promisify(execFile);

/** What is run as CommonJS too. */
const asCommonJs = ['fetches', 'service', 'story', 'process'];

/**
 * An address of this machine where nobody listens. The system never hands out this port, as it may one that a server has just
 * left, and `fetch` does not block it.
 */
const closedUrl = 'http://127.0.0.1:2';

/** What a program printed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program saw of the story, and what it wrote beside. */
interface Told {
  readonly seen: Seen;
  readonly output: string;
}

function writeProgram(path: string, source: string, format: 'esm' | 'cjs'): void {
  const { code } = transformSync(source, { loader: 'ts', target: 'es2022', format });
  const extension = format === 'esm' ? 'mjs' : 'cjs';
  const imports = /"(\.\/[\w-]+)\.ts"/g;
  writeFileSync(`${path}.${extension}`, code.replaceAll(imports, `"$1.${extension}"`));
}

/** A project that is there until it is removed. */
export class Project {
  /** What the project and the apps beside it are in. */
  readonly root = mkdtempSync(join(tmpdir(), 'payments-client-runtimes-'));
  readonly folder = join(this.root, 'shared');
  #tarball: string | undefined;

  /** A path in the project. */
  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  /** A command that was installed. */
  bin(name: string): string {
    return this.path('node_modules', '.bin', name);
  }

  /** The package as a dependency. */
  get dependency(): Readonly<Record<string, string>> {
    this.#tarball ??= packMarked(this.root);
    return { 'payments-client': `file:${this.#tarball}` };
  }

  /** Installs the package, and what the runtimes and bundlers need, at once. */
  async install(packages: Readonly<Record<string, string>>): Promise<void> {
    const manifest = {
      private: true,
      dependencies: this.dependency,
      // What a machine's platform lacks is left out, and then skipped or counted as a failure.
      optionalDependencies: packages,
      // They fetch a binary, or put it in its place.
      allowScripts: { node: true, bun: true, deno: true, esbuild: true },
    };
    writeFileSync(this.path('package.json'), JSON.stringify(manifest));
    await install(this.folder);
  }

  /** Writes the programs and pages, and the bundlers' configurations beside them. */
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

  /** Whether a program of the project runs here. */
  runs(command: string): boolean {
    return spawnSync(command, ['--version'], { cwd: this.folder }).status === 0;
  }

  /** The version of a package that was installed. */
  versionOf(name: string): string {
    return JSON.parse(readFileSync(this.path('node_modules', name, 'package.json'), 'utf8')).version;
  }

  /** Runs a program in the project, and gives what it prints. */
  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Printed> {
    const options = { cwd: this.folder, timeout: 300_000, env: { ...process.env, NO_COLOR: '1', ...env } };
    return execute(command, args, options);
  }

  /** Runs a program that calls nobody, and prints what it saw as JSON. */
  async ask(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run> {
    const { stdout, stderr } = await this.run(command, args, env);
    return { seen: JSON.parse(stdout), files: filesIn(stderr), transport: 'none' };
  }

  /** Puts a program through the story beside a sandbox of its own. */
  tell(story: (service: Service) => Promise<Told>): Promise<Run> {
    return withSandbox(async (sandbox, transport) => {
      let output = '';
      const seen = await beside(sandbox, closedUrl, async (service) => {
        const told = await story(service);
        output = told.output;
        return told.seen;
      });
      return { seen, files: filesIn(output), transport: transport() };
    });
  }

  /** The same for a process that gets the service as its last argument. */
  tellProcess(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run> {
    return this.tell(async (service) => {
      const { stdout, stderr } = await this.run(command, [...args, JSON.stringify(service)], env);
      return { seen: JSON.parse(stdout), output: stderr };
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
