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

/** Returns the paths of tests for a changed file, the nearest first: of `src/a/b/c.ts`, `a/b/c`, `a/b` and `a`. */
function testPathsOf(file: string): string[] {
  const root = file.startsWith('sandbox/') ? 'sandbox/test' : 'test';
  const path = file.replace(/^(?:sandbox\/)?src\//, '').replace(/(?:\.node)?\.\w+$/, '');
  const parts = path.split('/');
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

  /** Plants a defect, runs the tests from near to far until two fail, and takes the defect back. */
  async verdictOn(defect: Defect): Promise<Verdict> {
    const paths = defect.files.flatMap(testPathsOf);
    this.#tree.apply(defect.path);
    await this.#reload(defect);
    try {
      const verdict = await this.#inFastTests(paths);
      return verdict.found === 'nowhere' ? await this.#inServices(paths) : verdict;
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

  async #inFastTests(paths: readonly string[]): Promise<Verdict> {
    const vitest = await this.#vitest;
    const all = await vitest.globTestSpecifications();
    const failing: string[] = [];
    const done = new Set<unknown>();
    let found: Place = 'nowhere';
    const rings = [
      ['near', paths.slice(0, 1)],
      ['room', paths],
      ['anywhere', ['']],
    ] as const;
    for (const [place, within] of rings) {
      if (failing.length > 0 && place === 'anywhere') break;
      const chosen = all.filter(
        (one) =>
          !done.has(one) &&
          within.some((path) => path === '' || isAt(join(this.#tree.path, path), one.moduleId)),
      );
      if (chosen.length === 0) continue;
      for (const one of chosen) done.add(one);
      failing.push(...(await failuresIn(vitest, chosen)));
      if (failing.length > 0 && found === 'nowhere') found = place;
      if (failing.length > 1) break;
    }
    return { found, failing };
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
      return { found: failing.length > 0 ? 'services' : 'nowhere', failing };
    } finally {
      await vitest.close();
    }
  }
}
