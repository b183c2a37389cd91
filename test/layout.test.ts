/** A test is found by the path of what it tests: of `src/a/b` at `test/a/b.test.ts`, or at `test/a/b/<behaviour>.test.ts`. */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/** Suites that attack the package as a whole: folders, and single files by their names without an ending. */
const suites = [
  'bench',
  'browser',
  'bytes',
  'docs',
  'engine',
  'entry-imports',
  'examples',
  'frameworks',
  'interface',
  'mutation',
  'planted',
  'reference',
  'security',
  'webhooks/backlog',
  'webhooks/modes-and-faults',
  'hostile-process',
  'layout',
  'promises',
  'readmes',
  'refusals',
  'whole-path',
];

const isOfSuite = (path: string) =>
  suites.some((suite) => path.startsWith(`${suite}/`) || path.startsWith(`${suite}.`));

interface TestFile {
  /** The folder of its package. */
  readonly root: '.' | 'sandbox';
  /** Its path below `test/`. */
  readonly path: string;
}

/** The files below `test/` of both packages that belong to no suite. */
const files = (['.', 'sandbox'] as const).flatMap((root): readonly TestFile[] =>
  globSync('**/*.ts', { cwd: join(root, 'test'), exclude: ['**/node_modules', '.tmp'] })
    .map((file) => ({ root, path: file.replaceAll('\\', '/') }))
    .filter(({ path }) => !isOfSuite(path)),
);

/** Whether a path is that of a module or a folder of `src/`. */
const isOfSource = (root: string, path: string) =>
  ['', '.ts', '.node.ts'].some((ending) => existsSync(`${root}/src/${path}${ending}`));

it('puts each test at the path of a module or folder, or one behaviour below it', () => {
  const tests = files.flatMap(({ root, path }) => {
    const [, module] = /^(.*?)(?:\.services)?\.test(?:-d)?\.ts$/.exec(path) ?? [];
    return module === undefined ? [] : [{ root, module }];
  });
  expect(tests.length).toBeGreaterThan(100);
  const lost = tests.filter(
    ({ root, module }) =>
      !isOfSource(root, module) && (dirname(module) === '.' || !isOfSource(root, dirname(module))),
  );
  expect(lost).toEqual([]);
});

it('imports the packages by their entries, or says in the first line why it reaches inside', () => {
  const reachesInside = /(?:from |import |import\()'(?:\.\.?\/)+(?:sandbox\/)?src\//;
  const saysWhy = /^\/\*\* Reaches inside: \w+ .{20,}/;
  const silent = files.filter(({ root, path }) => {
    const text = readFileSync(join(root, 'test', path), 'utf8');
    return reachesInside.test(text) !== saysWhy.test(text);
  });
  expect(silent).toEqual([]);
});

it('gives no two files of the sandbox the same name', () => {
  // What uses the sandbox from outside has names of its own.
  const all = globSync('**/*.{ts,tsx}', { cwd: 'sandbox/src', exclude: ['probe', 'shell', 'testing'] });
  const names = all.map((file) => basename(file.replaceAll('\\', '/')));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('lists only suites that exist', () => {
  expect(
    suites.filter((suite) =>
      ['test', 'sandbox/test'].every(
        (folder) => !existsSync(`${folder}/${suite}`) && !existsSync(`${folder}/${suite}.test.ts`),
      ),
    ),
  ).toEqual([]);
});

it('declares no name of the package in two files', () => {
  const declaration =
    /^export (?:abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  // The entry for Node has classes of its own by the names of those that they extend.
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('index.node.ts'));
  const declared = files.flatMap((file) => {
    // An overloaded function is declared more than once.
    const names = new Set([...readFileSync(file, 'utf8').matchAll(declaration)].map(([, name]) => name));
    return [...names].map((name) => ({ name, file }));
  });
  expect(declared.length).toBeGreaterThan(500);
  const twice = [...Map.groupBy(declared, ({ name }) => name).values()].filter(({ length }) => length > 1);
  expect(twice).toEqual([]);
});

describe('a reader of src', () => {
  const sources = globSync('src/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/'));

  it('finds no folder with more than 13 entries, but the rooms themselves', () => {
    const folders = [...new Set(sources.map((file) => dirname(file)))].filter((folder) => folder !== 'src');
    expect(folders.length).toBeGreaterThan(20);
    expect(folders.filter((folder) => readdirSync(folder).length > 13)).toEqual([]);
  });

  it('finds no file with more than 300 lines of code', () => {
    const codeOf = (file: string) =>
      readFileSync(file, 'utf8')
        .replaceAll(/\/\*.*?\*\//gs, '')
        .split('\n')
        .filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
    expect(sources.filter((file) => codeOf(file).length > 300)).toEqual([]);
  });
});
