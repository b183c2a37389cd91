/** A copy of a project in test/frameworks, with the packed package installed, run by its own scripts. */

import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { filesIn } from './marked-package.ts';
import type { Project } from './project.ts';
import { launch, type Server } from './server.ts';

const execute = promisify(execFile);
const projects = resolve(import.meta.dirname, '../../test/frameworks');

/** The package manager that installs a project and runs its scripts. */
export type Manager = 'npm' | 'pnpm' | 'yarn';

type Environment = Readonly<Record<string, string>>;

interface AppOptions {
  /** The name of the copy. */
  readonly name: string;
  /** The folder in test/frameworks. */
  readonly folder: string;
  readonly manager: Manager;
  /** Dependencies whose versions differ from those of its manifest. */
  readonly packages: Readonly<Record<string, string>>;
}

/** The registry, or this platform, lacks a package that a project needs. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError';
}

/** Matches build warnings about this package, or about code that Next.js's Edge runtime does not run. */
const warning = /Node\.js (?:API|module)|dynamic code|payments-client/i;

export class App {
  readonly project: Project;
  readonly folder: string;
  readonly #options: AppOptions;
  #installed: Promise<void> | undefined;
  #warnings: Promise<readonly string[]> | undefined;

  constructor(project: Project, options: AppOptions) {
    this.project = project;
    this.folder = join(project.root, options.name);
    this.#options = options;
  }

  /** Returns the command and the environment of the package manager. Nothing is left in the user's home. */
  get #command(): { readonly command: string; readonly env: NodeJS.ProcessEnv } {
    const { manager } = this.#options;
    const cache = join(this.project.root, 'cache');
    return {
      command: manager === 'npm' ? manager : this.project.bin(manager),
      env: {
        ...process.env,
        NO_COLOR: '1',
        XDG_DATA_HOME: cache,
        XDG_CACHE_HOME: cache,
        XDG_STATE_HOME: cache,
        YARN_GLOBAL_FOLDER: cache,
        YARN_ENABLE_TELEMETRY: '0',
        YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
        // Next.js would ask the registry for the builds of other platforms.
        NEXT_TELEMETRY_DISABLED: '1',
        NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
      },
    };
  }

  async #run(args: readonly string[], more: Environment = {}): Promise<string> {
    const { command, env } = this.#command;
    const options = { cwd: this.folder, timeout: 300_000, maxBuffer: 2 ** 26, env: { ...env, ...more } };
    try {
      const { stdout, stderr } = await execute(command, args, options);
      return `${stdout}\n${stderr}`;
    } catch (error) {
      const { stdout = '', stderr = '' } = Object(error);
      throw new Error(`${this.#options.name}: ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
    }
  }

  get #manifest() {
    return JSON.parse(readFileSync(join(this.folder, 'package.json'), 'utf8'));
  }

  async #install(): Promise<void> {
    const { folder, packages } = this.#options;
    cpSync(join(projects, folder), this.folder, { recursive: true });
    copyFileSync(join(projects, 'shop.js'), join(this.folder, 'shop.js'));
    if (existsSync(join(this.folder, 'scenario'))) this.project.writePrograms(join(this.folder, 'scenario'));
    const manifest = this.#manifest;
    const versions = { ...packages, ...this.project.dependency };
    for (const group of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}]) {
      for (const name of Object.keys(group)) group[name] = versions[name] ?? group[name];
    }
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify(manifest));
    const quiet = this.#options.manager === 'npm' ? ['--no-audit', '--no-fund'] : [];
    await this.#run(['install', ...quiet]).catch((error: Error) => {
      throw new NotInstalledError(error.message);
    });
  }

  /** Installs the project, once. */
  install(): Promise<void> {
    this.#installed ??= this.#install();
    return this.#installed;
  }

  /** Runs a script of the project, and returns the output. */
  async script(name: string, env?: Environment): Promise<string> {
    await this.install();
    return this.#run(['run', name], env);
  }

  async #build(env: Environment): Promise<readonly string[]> {
    await this.install();
    if (this.#manifest.scripts.build === undefined) return [];
    const output = await this.script('build', env);
    return output.split('\n').filter((line) => warning.test(line) && filesIn(line).length === 0);
  }

  /** Builds the project once, if it has a build script, and returns the warnings. */
  build(env: Environment): Promise<readonly string[]> {
    this.#warnings ??= this.#build(env);
    return this.#warnings;
  }

  async start(more: Environment): Promise<Server> {
    const { command, env } = this.#command;
    return launch({ command, args: ['run', 'start'], folder: this.folder, env: { ...env, ...more } });
  }

  versionOf(name: string): string {
    const path = join(this.folder, 'node_modules', name, 'package.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : this.project.versionOf(name);
  }
}
