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
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import type * as SandboxEntry from 'payments-client/sandbox';
import { install, pack } from '../tarball.ts';
import { beside, type Seen, type Service } from './programs/service.ts';

const execute = promisify(execFile);

/** What is run as CommonJS too. */
const asCommonJs = ['fetches', 'service', 'story', 'process'];

/**
 * An address of this machine where nobody listens. The system never hands out this port, as it may one that a server has just
 * left, and `fetch` does not block it.
 */
const closedUrl = 'http://127.0.0.1:2';

/** A project that is there until it is removed. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'payments-client-runtimes-'));
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
  get #dependency(): Readonly<Record<string, string>> {
    this.#tarball ??= pack(this.folder).path;
    return { 'payments-client': `file:${this.#tarball}` };
  }

  /** Installs the package, and what the runtimes and bundlers need, at once. */
  async install(packages: Readonly<Record<string, string>>): Promise<void> {
    const manifest = {
      private: true,
      dependencies: this.#dependency,
      // What a machine's platform lacks is left out, and then skipped or counted as a failure.
      optionalDependencies: packages,
      // They fetch a binary, or put it in its place.
      allowScripts: { node: true, bun: true, deno: true, esbuild: true },
    };
    writeFileSync(this.path('package.json'), JSON.stringify(manifest));
    await install(this.folder);
  }

  /** Makes a folder for an app that has dependencies of its own, and installs them with the package. */
  async installApp(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
    const folder = this.path(name);
    mkdirSync(folder);
    const manifest = { private: true, dependencies: { ...this.#dependency, ...packages } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    await install(folder);
    return folder;
  }

  /** Writes the programs, and the bundlers' configurations beside them. */
  writePrograms(): void {
    for (const folder of ['programs', 'pages']) {
      for (const file of readdirSync(join(import.meta.dirname, folder))) {
        const name = basename(file, '.ts');
        const source = readFileSync(join(import.meta.dirname, folder, file), 'utf8');
        this.#writeProgram(name, source, 'esm');
        if (asCommonJs.includes(name)) this.#writeProgram(name, source, 'cjs');
      }
    }
    const configurations = join(import.meta.dirname, 'configurations');
    for (const file of readdirSync(configurations)) copyFileSync(join(configurations, file), this.path(file));
  }

  #writeProgram(name: string, source: string, format: 'esm' | 'cjs'): void {
    const { code } = transformSync(source, { loader: 'ts', target: 'es2022', format });
    const extension = format === 'esm' ? 'mjs' : 'cjs';
    const imports = /"(\.\/[\w-]+)\.ts"/g;
    writeFileSync(this.path(`${name}.${extension}`), code.replaceAll(imports, `"$1.${extension}"`));
  }

  /** Whether a program of the project runs here. */
  runs(command: string): boolean {
    return spawnSync(command, ['--version'], { cwd: this.folder }).status === 0;
  }

  /** Runs a program in the project, and gives what it prints. */
  async run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const options = { cwd: this.folder, timeout: 60_000, env: { ...process.env, NO_COLOR: '1', ...env } };
    const { stdout } = await execute(command, args, options);
    return stdout;
  }

  /**
   * A sandbox from the package, over HTTP, until the work is done.
   *
   * @param folder Where the package is installed. Default: in the project.
   */
  async withSandbox<T>(
    work: (sandbox: SandboxEntry.Sandbox) => Promise<T>,
    folder = this.folder,
  ): Promise<T> {
    const entry = pathToFileURL(join(folder, 'node_modules/payments-client/dist/sandbox/index.js')).href;
    const { createSandbox }: typeof SandboxEntry = await import(entry);
    const sandbox = await createSandbox().listen();
    try {
      return await work(sandbox);
    } finally {
      await sandbox.close();
    }
  }

  /** Puts a program through the story beside a sandbox of its own. */
  tell(story: (service: Service) => Promise<Seen>, folder?: string): Promise<Seen> {
    return this.withSandbox((sandbox) => beside(sandbox, closedUrl, story), folder);
  }

  /** The same for a process that gets the service as its last argument. */
  tellProcess(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Seen> {
    return this.tell(async (service) =>
      JSON.parse(await this.run(command, [...args, JSON.stringify(service)], env)),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
