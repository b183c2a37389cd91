import { join } from 'node:path/posix';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import type { Defect } from './defect.ts';
import type { Tree } from './tree.ts';

/** Where tests fail: those of the changed file, of its room, any of `npm test`, or only those that start programs. */
type Place = 'near' | 'room' | 'anywhere' | 'services' | 'nowhere';

/** What the tests say of a tree with a defect. */
export interface Verdict {
  readonly found: Place;
  /** The tests that fail, each with its file. Tests that are farther away may fail too. */
  readonly failing: readonly string[];
}

/** Where the tests of code are that runs in a page alone. */
const inBrowser: Readonly<Record<string, string>> = {
  react: 'browser/entry',
  ui: 'browser',
  dashboard: 'browser/dashboard',
};

/** Returns the paths of tests for a changed file, the nearest first: of `src/a/b/c.ts`, `a/b/c`, `a/b` and `a`. */
function testPathsOf(file: string): string[] {
  const root = file.startsWith('sandbox/') ? 'sandbox/test' : 'test';
  const path = file.replace(/^(?:sandbox\/)?src\//, '').replace(/(?:\.node)?\.\w+$/, '');
  const [first = '', ...more] = path.split('/');
  const parts = [...(inBrowser[first] ?? first).split('/'), ...more];
  return parts.map((_, index) => join(root, ...parts.slice(0, parts.length - index)));
}

/** Whether a test file is at a path: the file of that name, or a file in the folder of that name. */
function isAt(path: string, file: string): boolean {
  return file.startsWith(path) && /^[./]/.test(file.slice(path.length));
}

/** Runs some test files, and returns the tests that fail. */
async function failuresIn(vitest: Vitest, chosen: TestSpecification[]): Promise<string[]> {
  const { testModules } = await vitest.runTestSpecifications(chosen);
  // It has the results of earlier runs too.
  const now = testModules.filter((module) =>
    chosen.some(
      ({ moduleId, project }) => moduleId === module.moduleId && project.name === module.project.name,
    ),
  );
  return now.flatMap((module) => {
    const tests = [...module.children.allTests('failed')];
    if (tests.length > 0) return tests.map(({ fullName }) => `${module.relativeModuleId} > ${fullName}`);
    return module.ok() ? [] : [`${module.relativeModuleId} > does not load`];
  });
}

/** Runs the tests of each ring until some fail. Returns the place of the nearest. */
async function firstOf(rings: readonly (() => Promise<Verdict>)[]): Promise<Verdict> {
  for (const ring of rings) {
    const verdict = await ring();
    if (verdict.failing.length > 0) return verdict;
  }
  return { found: 'nowhere', failing: [] };
}

/** The tests of calls as a caller makes them. */
const callers = ['promises', 'http', 'resources', 'webhooks', 'journal'].map((room) => `test/${room}`);

/** Ends a test that a defect lets hang, in ms. */
const hang = 60_000;

/** Runs the tests of one tree, the fast ones without a new start for each defect. */
export class Judge {
  readonly #tree: Tree;
  readonly #vitest: Promise<Vitest>;

  constructor(tree: Tree) {
    this.#tree = tree;
    // Some tests read files of the repository by a relative path.
    process.chdir(tree.path);
    this.#vitest = this.#start('fast', 'fast-alone');
  }

  /** Plants a defect, runs the tests from near to far until some fail, and takes the defect back. */
  async verdictOn(defect: Defect): Promise<Verdict> {
    const paths = defect.files.flatMap(testPathsOf);
    // They see most of what a caller notices.
    const wide = paths[0]?.startsWith('sandbox/') ? ['sandbox/test'] : callers;
    const rings = [
      () => this.#inFastTests('near', paths.slice(0, 1)),
      () => this.#inFastTests('room', paths),
      () => this.#inFastTests('anywhere', wide),
      () => this.#inServices(paths),
      () => this.#inFastTests('anywhere', ['test', 'sandbox/test', 'examples']),
    ];
    this.#tree.apply(defect.path);
    await this.#reload(defect);
    try {
      return await firstOf(rings);
    } finally {
      this.#tree.revert(defect.path);
      await this.#reload(defect);
    }
  }

  async close(): Promise<void> {
    await (await this.#vitest).close();
  }

  #start(...projects: string[]): Promise<Vitest> {
    const { path: root } = this.#tree;
    return createVitest({
      root,
      watch: false,
      reporters: [{}],
      project: projects,
      maxWorkers: 1,
      testTimeout: hang,
    });
  }

  async #reload({ files }: Defect): Promise<void> {
    const vitest = await this.#vitest;
    for (const file of files) vitest.invalidateFile(join(this.#tree.path, file));
  }

  async #inFastTests(found: Place, within: readonly string[]): Promise<Verdict> {
    const vitest = await this.#vitest;
    const all = await vitest.globTestSpecifications();
    const chosen = all.filter(({ moduleId }) =>
      within.some((path) => isAt(join(this.#tree.path, path), moduleId)),
    );
    return { found, failing: chosen.length === 0 ? [] : await failuresIn(vitest, chosen) };
  }

  /** The programs that these tests start are built once, at the start. */
  async #inServices(paths: readonly string[]): Promise<Verdict> {
    const vitest = await this.#start('services', 'browser');
    try {
      const all = await vitest.globTestSpecifications();
      const chosen = all.filter(({ moduleId }) =>
        paths.some((path) => isAt(join(this.#tree.path, path), moduleId)),
      );
      const failing = chosen.length === 0 ? [] : await failuresIn(vitest, chosen);
      return { found: 'services', failing };
    } finally {
      await vitest.close();
    }
  }
}
